import { describe, expect, test } from 'vitest'
import { turndownMarkdown } from './turndown-markdown.ts'

describe('turndown', () => {
  test('writes what people expect of it', () => {
    const html =
      '<h1>T</h1><p>a <em>b</em> <strong>c</strong> <del>d</del> <a href="https://x.test/">e</a></p><ul><li>f</li></ul><pre><code class="language-js">g()</code></pre><script>h</script>'
    expect(turndownMarkdown()(html)).toBe('# T\n\na _b_ **c** ~~d~~ [e](https://x.test/)\n\n-   f\n\n```js\ng()\n```')
  })

  test('takes rules, plugins and options; a rule of the user goes before ours', () => {
    const convert = turndownMarkdown({
      options: { headingStyle: 'setext' },
      rules: { shout: { filter: ['del'], replacement: (content) => content.toUpperCase() } },
      plugins: [
        (service) =>
          service.addRule('mark', { filter: 'mark' as 'b', replacement: (content: string) => `==${content}==` }),
      ],
      keep: ['sub'],
      remove: ['small'],
    })
    expect(convert('<h1>T</h1><p><del>a</del><mark>b</mark><sub>c</sub><small>d</small></p>')).toBe(
      'T\n=\n\nA==b==<sub>c</sub>',
    )
  })

  test('writes tables, with a head and without', () => {
    const convert = turndownMarkdown()
    expect(convert('<table><caption>c</caption><thead><tr><th>A<th>B</thead><tbody><tr><td>1<td>2|3</table>')).toBe(
      'c\n\n| A | B |\n| --- | --- |\n| 1 | 2\\|3 |',
    )
    expect(convert('<table><tr><td>1<td>2<tr><td><p>3</p><p>4</p></table>')).toBe(
      '|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 4 |',
    )
  })

  test('is not given more depth than it can take', { tags: ['long'] }, () => {
    expect(turndownMarkdown()(`${'<div>'.repeat(5_000)}deep`)).toBe('deep')
    expect(turndownMarkdown()(`${'<blockquote>'.repeat(5_000)}deep`)).toMatch(/^(?:> ){50,70}deep$/)
  })

  test('is not given runs of blanks that its expressions cannot take', () => {
    const markdown = turndownMarkdown()(`<pre>a${' '.repeat(100_000)}b</pre>`)
    expect(markdown.length).toBeLessThan(1_000)
    expect(markdown).toMatch(/^a +b$/)
  })
})
