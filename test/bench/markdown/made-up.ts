import { parseHtml } from '../../../packages/html/src/parse/parse.ts'
import type { Element, Node } from '../../../packages/html/src/tree/tree.ts'

// Made-up pages that go there and back: text full of signs, marks inside marks, blocks inside blocks. What must survive is
// every character with the marks and blocks around it. White space may move out of marks, and neighbours alike may join.

const words =
  'foo bar a 1 * _ ** __ ` `` [ ] ( ) ! < <b & &amp; \\ ~ ~~ | # 1. 2) - + > . , : 「 」 字 é -x = === --- &copy; ' +
  'a.b/c_d a*b snake_case x~y \\* [x] [ ] ^ $ ![ ]( ¶ € “ ” 😀'
const fragments = words.split(' ')
const addresses = ['/u', '/a(b)', '/a(b', '/x y', '/a_b*c', '/a|b', '?a=1&b=2']

/** A source of numbers that gives the same ones for the same seed. */
function makeDice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function makePage(seed: number): string {
  const dice = makeDice(seed)
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(dice() * choices.length)]!
  const times = (most: number, make: () => string): string =>
    Array.from({ length: 1 + Math.floor(dice() * most) }, make).join('')
  const text = (): string => times(5, () => escape(pick(fragments)) + (dice() < 0.3 ? ' ' : ''))
  const inline = (depth: number, inLink = false): string =>
    times(4, () => {
      const kind = depth > 0 ? pick(['text', 'text', 'em', 'strong', 'del', 'code', 'a', 'img', 'br']) : 'text'
      if (kind === 'text') return text()
      if (kind === 'br') return 'x<br>y'
      if (kind === 'img') return `<img src="/i.png" alt="${pick(['x', 'a [b]', '*a*', 'a_b', '`c`'])}">`
      if (kind === 'code') return `<code>x${text().trim()}</code>`
      if (kind === 'a') return inLink ? text() : `<a href="${escape(pick(addresses))}">x${inline(depth - 1, true)}</a>`
      return `<${kind}>x${inline(depth - 1, inLink)}</${kind}>`
    })
  const block = (depth: number): string => {
    switch (depth > 0 ? pick(['p', 'p', 'h2', 'blockquote', 'ul', 'ol', 'loose', 'table', 'pre']) : 'p') {
      case 'h2':
        return `<h2>x${inline(1).replaceAll('<br>', ' ')}</h2>`
      case 'blockquote':
        return `<blockquote>${blocks(depth - 1)}</blockquote>`
      case 'ul':
        return `<ul>${times(3, () => `<li>x${inline(1)}${dice() < 0.3 ? block(depth - 1) : ''}</li>`)}</ul>`
      case 'ol':
        return `<ol>${times(3, () => `<li>x${inline(1)}${dice() < 0.3 ? block(depth - 1) : ''}</li>`)}</ol>`
      case 'loose':
        return `<ul>${times(3, () => `<li><p>x${inline(1)}</p>${blocks(depth - 1)}</li>`)}</ul>`
      case 'table':
        return `<table>${times(3, () => `<tr><th>x${inline(1)}</th><th>y${inline(1)}</th></tr>`)}</table>`
      case 'pre':
        return `<pre><code>${text()}x\ny${text()}\n</code></pre>`
      default:
        return `<p>x${inline(2)}</p>`
    }
  }
  const blocks = (depth: number): string => times(3, () => block(depth))
  return blocks(3)
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

const marks: Readonly<Record<string, string>> = {
  em: 'em',
  strong: 'strong',
  del: 'del',
  s: 'del',
  code: 'code',
  a: 'a',
}
const containers: ReadonlySet<string> = new Set([
  'h2',
  'blockquote',
  'ul',
  'ol',
  'li',
  'table',
  'tr',
  'th',
  'td',
  'pre',
])

/** Every character but white space, with what is around it. */
export function signature(html: string): string {
  const lines: string[] = []
  visit(parseHtml(html).body, [], '', lines)
  return lines.join('\n')
}

function visit(node: Node, around: readonly string[], path: string, lines: string[]): void {
  if (node.type === 'text') {
    const own = [...new Set(around)].toSorted().join(',')
    for (const character of node.text) if (/\S/.test(character)) lines.push(`${character} ${own} ${path}`)
    return
  }
  const { name } = node
  if (name === 'img') lines.push(`image ${node.attributes.alt} ${[...new Set(around)].toSorted().join(',')} ${path}`)
  const mark = marks[name]
  const inside = mark === undefined ? around : [...around, name === 'a' ? `a ${addressOf(node)}` : mark]
  const below = containers.has(name) ? `${path}/${name === 'td' ? 'th' : name}` : path
  if (name === 'li' || name === 'tr' || name === 'blockquote') lines.push(below)
  for (let child = node.first; child; child = child.next) visit(child, inside, below, lines)
}

function addressOf({ attributes }: Element): string {
  return decodeURI(attributes.href ?? '')
}
