import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { parseHtml } from '../../../packages/html/src/parse/parse.ts'
import { toHtml } from '../../../packages/html/src/parse/serialize.ts'
import { makeElement, append, makeText, type Element, type Node } from '../../../packages/html/src/tree/tree.ts'
import { elementsOf, textOf } from '../../../packages/html/src/tree/walk.ts'

/** The main part of each page of a data set, as clean HTML: what every converter is given alike. */
export function* articles(corpus: string, set: string): Generator<string> {
  for (const line of unpack(join(corpus, set, 'pages.jsonl.br')).split('\n')) {
    if (line.trim() === '') continue
    const { id, gold } = JSON.parse(line) as { id: string; gold: { text?: string } }
    const { body } = parseHtml(unpack(join(corpus, set, 'html', `${id}.html.br`)))
    yield toHtml(cleaned(mainPart(body, gold.text?.length ?? 0)))
  }
}

function unpack(file: string): string {
  return brotliDecompressSync(readFileSync(file)).toString()
}

/** The part that calls itself the article and holds about as much as the gold answer, else the whole body. */
function mainPart(body: Element, length: number): Element {
  const parts = elementsOf(body).filter(
    ({ name, attributes }) => name === 'article' || name === 'main' || attributes.itemprop === 'articleBody',
  )
  const fitting = parts
    .map((part) => ({ part, size: textOf(cleaned(part)).length }))
    .filter(({ size }) => size > length * 0.8)
  fitting.sort((a, b) => a.size - b.size)
  return fitting[0]?.part ?? body
}

const dropped: ReadonlySet<string> = new Set(
  'script style noscript template svg iframe form select button input textarea video audio object embed canvas link meta'.split(
    ' ',
  ),
)
const kept = ['href', 'src', 'alt', 'title', 'colspan', 'rowspan', 'start', 'class'] as const

function cleaned(element: Element): Element {
  const copy = makeElement(element.name, keptOf(element))
  for (let child = element.first; child; child = child.next) {
    const clean = cleanedNode(child)
    if (clean) append(copy, clean)
  }
  return copy
}

function cleanedNode(node: Node): Node | undefined {
  if (node.type === 'text') return makeText(node.text)
  if (dropped.has(node.name) || node.attributes.hidden !== undefined) return undefined
  return cleaned(node)
}

function keptOf({ attributes }: Element): Record<string, string> {
  const own: Record<string, string> = {}
  for (const name of kept) if (attributes[name] !== undefined) own[name] = attributes[name]
  return own
}
