import type { Case } from './case.ts'

/** Footnotes in the markup of various generators. */
export const footnotes: readonly Case[] = [
  {
    name: 'a footnote of GitHub',
    html: '<p>Text<sup><a href="#user-content-fn-1" id="user-content-fnref-1" data-footnote-ref>1</a></sup> more.</p><section class="footnotes" data-footnotes><h2 id="footnote-label" class="sr-only">Footnotes</h2><ol><li id="user-content-fn-1"><p>The note. <a href="#user-content-fnref-1" data-footnote-backref>↩</a></p></li></ol></section><p>after</p>',
    markdown: ['Text[^1] more.', '', '[^1]: The note.', '', 'after'],
  },
  {
    name: 'a footnote of markdown-it, with two paragraphs in the note',
    html: '<p>T<sup class="footnote-ref"><a href="#fn1" id="fnref1">[1]</a></sup></p><hr class="footnotes-sep"><section class="footnotes"><ol class="footnotes-list"><li id="fn1" class="footnote-item"><p>One</p><p>Two <a href="#fnref1" class="footnote-backref">↩︎</a></p></li></ol></section>',
    markdown: ['T[^1]', '', '[^1]: One', '', '    Two'],
  },
  {
    name: 'a footnote of Pandoc',
    html: '<p>T<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a></p><section id="footnotes" class="footnotes footnotes-end-of-document" role="doc-endnotes"><hr /><ol><li id="fn1"><p>Note<a href="#fnref1" class="footnote-back" role="doc-backlink">↩︎</a></p></li></ol></section>',
    markdown: ['T[^1]', '', '[^1]: Note'],
  },
  {
    name: 'two footnotes of kramdown',
    html: '<p>T<sup id="fnref:1" role="doc-noteref"><a href="#fn:1" class="footnote">1</a></sup> U<sup id="fnref:2"><a href="#fn:2" class="footnote">2</a></sup></p><div class="footnotes" role="doc-endnotes"><ol><li id="fn:1"><p>One <a href="#fnref:1" class="reversefootnote">&#8617;</a></p></li><li id="fn:2"><p>Two <a href="#fnref:2" class="reversefootnote">&#8617;</a></p></li></ol></div>',
    markdown: ['T[^1] U[^2]', '', '[^1]: One', '', '[^2]: Two'],
  },
  {
    name: 'a footnote of Python-Markdown',
    html: '<p>T<sup id="fnref:a"><a class="footnote-ref" href="#fn:a">1</a></sup></p><div class="footnote"><hr><ol><li id="fn:a"><p>Note&#160;<a class="footnote-backref" href="#fnref:a">&#8617;</a></p></li></ol></div>',
    markdown: ['T[^1]', '', '[^1]: Note'],
  },
  {
    name: 'a footnote of Wikipedia, one note for two places',
    html: '<p>T<sup id="cite_ref-a_1-0" class="reference"><a href="#cite_note-a-1">[1]</a></sup> and <sup id="cite_ref-a_1-1" class="reference"><a href="#cite_note-a-1">[1]</a></sup></p><ol class="references"><li id="cite_note-a-1"><span class="mw-cite-backlink">^ <a href="#cite_ref-a_1-0"><sup><i><b>a</b></i></sup></a> <a href="#cite_ref-a_1-1"><sup><i><b>b</b></i></sup></a></span> <span class="reference-text">Smith.</span></li></ol>',
    markdown: ['T[^1] and [^1]', '', '[^1]: Smith.'],
  },
  {
    name: 'a footnote of Sphinx',
    html: '<p>T<a class="footnote-reference brackets" href="#id2" id="id1" role="doc-noteref"><span class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a></p><aside class="footnote brackets" id="id2" role="doc-footnote"><span class="label"><span class="fn-bracket">[</span><a role="doc-backlink" href="#id1">1</a><span class="fn-bracket">]</span></span><p>Note</p></aside>',
    markdown: ['T[^1]', '', '[^1]: Note'],
  },
  {
    name: 'a footnote of Substack',
    html: '<p>T<a class="footnote-anchor" id="footnote-anchor-1" href="#footnote-1">1</a></p><div class="footnote"><a id="footnote-1" href="#footnote-anchor-1" class="footnote-number">1</a><div class="footnote-content"><p>Note.</p></div></div>',
    markdown: ['T[^1]', '', '[^1]: Note.'],
  },
  {
    name: 'a footnote of a word processor',
    html: '<p>T<a href="#_ftn1" name="_ftnref1">[1]</a></p><div id="ftn1"><p class="MsoFootnoteText"><a href="#_ftnref1" name="_ftn1">[1]</a> note</p></div>',
    markdown: ['T[^1]', '', '[^1]: note'],
  },
  {
    name: 'a note with a list and code',
    html: '<p>T<sup id="r1"><a href="#n1">1</a></sup></p><ol><li id="n1">See:<ul><li>a</li></ul><pre>b</pre><a href="#r1">^</a></li></ol>',
    markdown: ['T[^1]', '', '[^1]: See:', '', '    - a', '', '    ```', '    b', '    ```'],
  },
  {
    name: 'a note of letters',
    html: '<p>T<sup id="r1"><a href="#n1">a</a></sup></p><ol><li id="n1">Note <a href="#r1">^</a></li></ol>',
    markdown: ['T[^a]', '', '[^a]: Note'],
  },
  {
    name: 'a reference whose note does not lead back stays a link',
    html: '<p>T<sup><a href="#n1">1</a></sup></p><ol><li id="n1">Note</li></ol>',
    markdown: ['T[1](#n1)', '', '1. Note'],
  },
  {
    name: 'a table of contents is no footnote',
    html: '<ul><li id="a"><a href="#s1">1</a> Intro</li></ul><h2 id="s1">One</h2><p><a href="#a">1</a></p>',
    markdown: ['- [1](#s1) Intro', '', '## One', '', '[1](#a)'],
  },
  {
    name: 'brackets that look like a reference are escaped beside real ones',
    html: '<p>T<sup id="r1"><a href="#n1">1</a></sup> [^2]</p><ol><li id="n1">Note <a href="#r1">^</a></li></ol>',
    markdown: ['T[^1] \\[^2]', '', '[^1]: Note'],
  },
  {
    name: 'two notes with one mark get two labels',
    html: '<p>T<sup id="r1"><a href="#n1">*</a></sup> U<sup id="r2"><a href="#n2">*</a></sup></p><ol><li id="n1">A <a href="#r1">^</a></li><li id="n2">B <a href="#r2">^</a></li></ol>',
    markdown: ['T[^1] U[^2]', '', '[^1]: A', '', '[^2]: B'],
  },
]
