import type { Case } from './case.ts'

/** Formulas. */
export const math: readonly Case[] = [
  {
    name: 'a formula with its TeX',
    html: '<p><math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x^2</annotation></semantics></math></p>',
    markdown: '$x^2$',
  },
  {
    name: 'a displayed formula is a block',
    html: '<p>a <math display="block"><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math> b</p>',
    markdown: ['a', '', '$$x^2$$', '', 'b'],
  },
  {
    name: 'an element with the name of what every object inherits',
    html: '<p><math><constructor><mi>x</mi></constructor></math></p>',
    markdown: '$x$',
  },
  {
    name: 'KaTeX',
    html: '<p>a <span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x_1</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x1</span></span></p>',
    markdown: 'a $x_1$',
  },
  {
    name: 'KaTeX, displayed',
    html: '<span class="katex-display"><span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">\\sum_1^n</annotation></semantics></math></span><span class="katex-html">n</span></span></span>',
    markdown: '$$\\sum_1^n$$',
  },
  {
    name: 'MathJax 2',
    html: '<p>a <span class="MathJax_Preview"></span><span class="MathJax">x2</span><script type="math/tex">x^2</script></p>',
    markdown: 'a $x^2$',
  },
  {
    name: 'MathJax 2, displayed',
    html: '<div class="MathJax_Display">x</div><script type="math/tex; mode=display">x^2</script>',
    markdown: '$$x^2$$',
  },
  {
    name: 'MathJax 3',
    html: '<p><mjx-container class="MathJax"><mjx-math></mjx-math><mjx-assistive-mml><math><msup><mi>x</mi><mn>2</mn></msup></math></mjx-assistive-mml></mjx-container></p>',
    markdown: '$x^2$',
  },
  {
    name: 'MathJax 4',
    html: '<p><mjx-container display="true"><mjx-math data-latex="x^2"></mjx-math></mjx-container></p>',
    markdown: '$$x^2$$',
  },
  {
    name: 'a wiki',
    html: '<p><span class="mwe-math-element"><span class="mwe-math-mathml-inline"><math alttext="{\\displaystyle a_{1}}"><semantics><mi>a</mi><annotation encoding="application/x-tex">{\\displaystyle a_{1}}</annotation></semantics></math></span><img class="mwe-math-fallback-image-inline mw-invert" src="/m.svg" alt="{\\displaystyle a_{1}}"></span></p>',
    markdown: '$a_{1}$',
  },
  {
    name: 'a formula with its TeX as alternative text',
    html: '<p><math alttext="\\alpha+1"><mi>α</mi></math></p>',
    markdown: '$\\alpha+1$',
  },
  {
    name: 'delimiters in an element that says it is mathematics',
    html: '<p><span class="math inline">\\(x^2\\)</span></p><span class="math display">\\[y\\]</span>',
    markdown: ['$x^2$', '', '$$y$$'],
  },
  {
    name: 'line breaks and comments in TeX',
    html: '<p><script type="math/tex">a % note\n + b</script>',
    markdown: '$a + b$',
  },
  {
    name: 'a dollar in TeX is escaped',
    html: '<p>x <script type="math/tex">\\text{5$}</script></p>',
    markdown: 'x $\\text{5\\$}$',
  },
  {
    name: 'a formula in a cell has no pipes',
    html: '<table><tr><th><script type="math/tex">|x|</script></th><th>b</th></tr></table>',
    markdown: ['| $\\vert x\\vert $ | b |', '| --- | --- |'],
  },
  {
    name: 'a displayed formula in a list item',
    html: '<ul><li>a<math display="block"><mi>x</mi></math></li></ul>',
    markdown: ['- a', '', '  $$x$$'],
  },
  {
    name: 'MathML: scripts',
    html: '<p><math><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup><mo>+</mo><msup><mi>e</mi><mrow><mi>i</mi><mi>π</mi></mrow></msup></math></p>',
    markdown: '$x_1^2+e^{i\\pi}$',
  },
  {
    name: 'MathML: fractions and roots',
    html: '<p><math><mfrac><mn>1</mn><msqrt><mi>x</mi></msqrt></mfrac><mroot><mi>x</mi><mn>3</mn></mroot></math></p>',
    markdown: '$\\frac{1}{\\sqrt{x}}\\sqrt[3]{x}$',
  },
  {
    name: 'MathML: sums and functions',
    html: '<p><math><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>sin</mi><mi>x</mi></math></p>',
    markdown: '$\\sum_{i=1}^n\\sin x$',
  },
  {
    name: 'MathML: accents, text and matrices',
    html: '<p><math><mover><mi>x</mi><mo>→</mo></mover><mtext>if </mtext><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr></mtable></math></p>',
    markdown: '$\\vec{x}\\text{if }\\begin{matrix}a & b\\end{matrix}$',
  },
  {
    name: 'MathML: letters after commands',
    html: '<p><math><mi>α</mi><mi>b</mi><mo>≤</mo><mi>c</mi></math></p>',
    markdown: '$\\alpha b\\leq c$',
  },
  {
    name: 'an empty formula is nothing',
    html: '<p>a<math></math>b</p>',
    markdown: 'ab',
  },
]
