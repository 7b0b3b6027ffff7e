from docutils.core import publish_parts, publish_string


def check(got, expected):
    assert got == expected, f"expected {expected!r}, got {got!r}"


TEXT = """
=====
Title
=====

:Author: Somebody
:Date: 2020

First *emphasis*, **strong**, ``literal`` and a `link <a.html>`_ [1]_.

.. [1] A note.

Section
-------

1. one
2. two

   - inner

======  =====
Name    Count
======  =====
a       1
b       2
======  =====

.. note:: Take care.

.. code:: python

   def f(a): return a + 1

.. figure:: a.png
   :width: 50%

   A caption.

term
  definition

>>> 1 + 1
2
"""

SETTINGS = {"_disable_config": True, "report_level": 5, "syntax_highlight": "none"}
html = publish_parts(TEXT, writer_name="html5", settings_overrides=SETTINGS)
check(html["title"], "Title")
body = html["body"]
check("<em>emphasis</em>, <strong>strong</strong>" in body, True)
check('<a class="reference external" href="a.html">link</a>' in body, True)
check(body.count("<li>"), 3)
check(body.count("<tr>"), 3)
check("<p>Take care.</p>" in body, True)
check("<dt>term" in body and "<dd>" in body, True)
check('src="a.png"' in body and "width: 50%" in body, True)
check("doctest" in body, True)
latex = publish_string(TEXT, writer_name="latex", settings_overrides=SETTINGS).decode()
check("\\section{Section" in latex, True)
check("\\emph{emphasis}" in latex, True)
check("\\begin{enumerate}" in latex, True)
pseudo = publish_string(TEXT, writer_name="pseudoxml", settings_overrides=SETTINGS).decode()
check("<enumerated_list" in pseudo and "<figure" in pseudo, True)
xml = publish_string(TEXT, writer_name="xml", settings_overrides=SETTINGS).decode()
check("<table" in xml and "<footnote" in xml, True)
man = publish_string(TEXT, writer_name="manpage", settings_overrides=SETTINGS).decode()
check(".SH SECTION" in man or ".SH Section" in man, True)
wrong = publish_parts("*a", writer_name="html5", settings_overrides={"_disable_config": True, "report_level": 1, "warning_stream": False})
check("Inline emphasis start-string without end-string" in wrong["body"], True)
