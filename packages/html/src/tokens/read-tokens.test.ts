import { describe, expect, test } from 'vitest'
import { readTokens, type TokenMode } from './read-tokens.ts'

const readings: Readonly<Record<string, TokenMode>> = {
  script: 'raw text',
  style: 'raw text',
  title: 'raw text with entities',
  plaintext: 'plain text',
}

/** The tokens as text: `<name attribute=value>`, `</name>`, and texts in quotes, neighbours joined. */
function tokensOf(html: string, { most = 100, foreign = false, stopAfter = Infinity } = {}) {
  const tokens: string[] = []
  const hasDropped = readTokens(
    html,
    {
      nameAt: (page, from, end) => page.slice(from, end).toLowerCase(),
      text: (found) => {
        const last = tokens.at(-1)
        if (last?.startsWith('"')) tokens[tokens.length - 1] = `${last.slice(0, -1)}${found}"`
        else tokens.push(`"${found}"`)
      },
      startTag: (name, { attributes, selfClosing }) => {
        const pairs = Object.entries(attributes ?? {}).map(([key, value]) => ` ${key}=${value}`)
        tokens.push(`<${name}${pairs.join('')}${selfClosing ? '/' : ''}>`)
        return readings[name] ?? 'page'
      },
      endTag: (name) => tokens.push(`</${name}>`),
      doctype: (written) => tokens.push(`!${written}`),
      isForeign: () => foreign,
      goesOn: () => tokens.length < stopAfter,
    },
    most,
  )
  return { tokens, hasDropped }
}

describe('tags', () => {
  test.each([
    ['<p>a</p>', ['<p>', '"a"', '</p>']],
    ['<P Class=A>', ['<p class=A>']],
    ['<br/><br / ><br a=/>', ['<br/>', '<br>', '<br a=/>']],
    ['<a href="x>y" b=\'"\' c=d e>', ['<a href=x>y b=" c=d e=>']],
    ['<a b = c d= "e" f>', ['<a b=c d=e f=>']],
    ['<a =b c==d>', ['<a =b= c==d>']],
    ['<a b=>x', ['<a b=>', '"x"']],
    ['<a b=1 B=2>', ['<a b=1>']],
    ['<a b="1"c="2">', ['<a b=1 c=2>']],
    ['<a<b>', ['<a<b>']],
    ['</p class=x>a', ['</p>', '"a"']],
  ])('%j', (html, expected) => {
    expect(tokensOf(html).tokens).toEqual(expected)
  })

  test.each(['<', '<p', '<p ', '<p a', '<p a=', '<p a="', '<p a="x>y', '</p', '</p a="'])(
    'a page that ends in %j has no such tag',
    (tail) => {
      expect(tokensOf(`<b>${tail}`).tokens).toEqual(tail === '<' ? ['<b>', '"<"'] : ['<b>'])
    },
  )

  test('attributes beyond the limit are dropped, and it is said', () => {
    expect(tokensOf('<a b c d>', { most: 2 })).toEqual({ tokens: ['<a b= c=>'], hasDropped: true })
    expect(tokensOf('<a b c><a d e>', { most: 2 }).hasDropped).toBe(false)
  })
})

describe('what is no tag', () => {
  test.each([
    ['1 < 2 <3 <<b>', ['"1 < 2 <3 <"', '<b>']],
    ['a<!-- <p> -->b', ['"ab"']],
    ['a<!-->b<!--->c<!--x--!>d<!-- -- > -->e', ['"abcde"']],
    ['a<!--b', ['"a"']],
    ['a<!x>b<?y?>c</ z>d</>e', ['"abcde"']],
    ['<!DOCTYPE html>a', ['!DOCTYPE html', '"a"']],
    ['a<![CDATA[b]]>c', ['"ac"']],
    ['a</', ['"a</"']],
  ])('%j', (html, expected) => {
    expect(tokensOf(html).tokens).toEqual(expected)
  })

  test('CDATA is text in svg and math', () => {
    expect(tokensOf('a<![CDATA[<b>]]>c<![CDATA[d', { foreign: true }).tokens).toEqual(['"a<b>cd"'])
  })
})

describe('raw text', () => {
  test.each([
    ['<style>a > b {}</style>c', ['<style>', '"a > b {}"', '</style>', '"c"']],
    ['<title>&amp;<b></title>', ['<title>', '"&<b>"', '</title>']],
    ['<script>&amp;</scripts></SCRIPT >a', ['<script>', '"&amp;</scripts>"', '</script>', '"a"']],
    ['<SCRIPT></script>a', ['<script>', '</script>', '"a"']],
    ['<script>a', ['<script>', '"a"']],
    ['<plaintext>a</plaintext>&amp;', ['<plaintext>', '"a</plaintext>&amp;"']],
  ])('%j', (html, expected) => {
    expect(tokensOf(html).tokens).toEqual(expected)
  })

  test.each([
    ['<!--<script></script>-->', 'an inner script in a comment'],
    ['<!--<script></script><script>x</script>', 'two of them'],
    ['<!-- --><!--<script></script>', 'the second comment'],
  ])('of %j, only the last end tag ends the script: %s', (inner) => {
    expect(tokensOf(`<script>${inner}</script>a`).tokens).toEqual(['<script>', `"${inner}"`, '</script>', '"a"'])
  })

  test.each(['<!--', '<!-->', '<!-- x --> <script>', '<!--<scripts>'])(
    '%j does not hide the end of a script',
    (inner) => {
      expect(tokensOf(`<script>${inner}</script>a`).tokens).toEqual(['<script>', `"${inner}"`, '</script>', '"a"'])
    },
  )
})

test('nothing is read once the reader has had enough', () => {
  expect(tokensOf('<a><b><c>x', { stopAfter: 2 }).tokens).toEqual(['<a>', '<b>'])
})
