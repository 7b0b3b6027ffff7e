<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="html" indent="yes"/>
  <xsl:param name="title" select="'Books'"/>
  <!-- Books of one author. -->
  <xsl:key name="books-by-author" match="book" use="@author"/>
  <xsl:key name="authors" match="author" use="@id"/>
  <xsl:template match="/">
    <html>
      <head><title><xsl:value-of select="$title"/></title></head>
      <body>
        <xsl:apply-templates select="library/author">
          <xsl:sort select="name"/>
        </xsl:apply-templates>
      </body>
    </html>
  </xsl:template>
  <xsl:template match="author">
    <h2><xsl:value-of select="name"/></h2>
    <xsl:choose>
      <xsl:when test="key('books-by-author', @id)">
        <ul class="books">
          <xsl:for-each select="key('books-by-author', @id)">
            <xsl:sort select="@year" data-type="number"/>
            <li id="{@isbn}"><xsl:value-of select="title"/> (<xsl:value-of select="@year"/>)</li>
          </xsl:for-each>
        </ul>
      </xsl:when>
      <xsl:otherwise><p>Nothing yet.</p></xsl:otherwise>
    </xsl:choose>
  </xsl:template>
</xsl:stylesheet>
