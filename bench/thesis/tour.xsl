<?xml version="1.0"?>
<!-- A knight's tour of a small board. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="html" indent="yes"/>
  <xsl:param name="start" select="'a1'"/>
  <xsl:variable name="size" select="5"/>
  <xsl:template match="/">
    <html>
      <head><title>Tour</title></head>
      <body>
        <h1>Knight's tour from <xsl:value-of select="$start"/></h1>
        <xsl:call-template name="board">
          <xsl:with-param name="row" select="1"/>
        </xsl:call-template>
      </body>
    </html>
  </xsl:template>
  <xsl:template name="board">
    <xsl:param name="row"/>
    <table border="1">
      <xsl:if test="$row &lt;= $size">
        <tr>
          <xsl:for-each select="//square[@row = $row]">
            <xsl:sort select="@column" data-type="number"/>
            <xsl:choose>
              <xsl:when test="@visited">
                <td class="dark"><xsl:value-of select="@visited"/></td>
              </xsl:when>
              <xsl:otherwise>
                <td class="light">
                  <xsl:call-template name="move">
                    <xsl:with-param name="from" select="."/>
                    <xsl:with-param name="depth" select="$row * $size"/>
                  </xsl:call-template>
                </td>
              </xsl:otherwise>
            </xsl:choose>
          </xsl:for-each>
        </tr>
        <xsl:call-template name="board">
          <xsl:with-param name="row" select="$row + 1"/>
        </xsl:call-template>
      </xsl:if>
    </table>
  </xsl:template>
  <xsl:template name="move">
    <xsl:param name="from"/>
    <xsl:param name="depth" select="0"/>
    <xsl:choose>
      <xsl:when test="$depth = 0"><b>end</b></xsl:when>
      <xsl:otherwise>
        <xsl:text>to </xsl:text>
        <xsl:value-of select="$from/@next"/>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>
</xsl:stylesheet>
