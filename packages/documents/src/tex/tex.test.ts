import { expect, test } from 'vitest'

import { convertFile } from '../convert.ts'
import { defaultLimits as limits } from '../limits.ts'

async function bodyOf(source: string): Promise<string> {
  const { html } = await convertFile({ bytes: Buffer.from(source), kind: 'tex', limits })
  return /<body>(.*)<\/body>/s.exec(html.join(''))?.[1] ?? ''
}

test('a bracket in a comment neither begins nor ends a group', async () => {
  const html = await bodyOf('a\\footnote{see % the {old\nnew} rest.\n\n\\textbf{b % }\nc} d')
  expect(html).toMatch(/^<p>a.* rest\.<\/p><p><strong>b c<\/strong> d<\/p>/)
  expect(html).toContain('see new')
})

test('the end of an environment in a comment does not end it', async () => {
  const html = await bodyOf('\\begin{quote}one % \\end{quote}\ntwo\\end{quote} three')
  expect(html).toBe('<blockquote><p>one two</p></blockquote><p>three</p>')
})

test('a percent sign begins no comment in verbatim text and in URLs', async () => {
  expect(await bodyOf('\\begin{verbatim}\n100% {\\end{verbatim} a')).toBe('<pre><code>100% {</code></pre><p>a</p>')
  expect(await bodyOf('{\\small\\begin{verbatim}\n% }\n\\end{verbatim}} a')).toContain('<p>a</p>')
  expect(await bodyOf('\\textbf{\\verb|%| x} a')).toBe('<p><strong><code>%</code> x</strong> a</p>')
  const linked = '<p><strong><a href="https://a.test/b%20c">https://a.test/b%20c</a></strong> d</p>'
  expect(await bodyOf('\\textbf{\\url{https://a.test/b%20c}} d')).toBe(linked)
  expect(await bodyOf('\\href{https://a.test/b%20c}{e} d')).toBe('<p><a href="https://a.test/b%20c">e</a> d</p>')
})

test('the authors of a TeX file are a list', async () => {
  expect(await bodyOf('\\author{Ada \\and Bob\n\\and Cy}\nx')).toContain('<p>Ada, Bob, Cy</p>')
})
