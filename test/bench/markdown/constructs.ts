import type { Element, Node } from '../../../packages/html/src/tree/tree.ts'
import { nextNode, textOf } from '../../../packages/html/src/tree/walk.ts'

// The nine things that a reader would miss, each as a bag of keys: what is in one page and what in the other.

export const constructs = ['heading', 'link', 'image', 'item', 'cell', 'code', 'quote', 'emphasis', 'words'] as const
export type Construct = (typeof constructs)[number]
export type Bags = Readonly<Record<Construct, Map<string, number>>>

export function bagsOf(root: Element): Bags {
  const bags = Object.fromEntries(constructs.map((name) => [name, new Map<string, number>()])) as Bags
  const add = (name: Construct, key: string): void => {
    bags[name].set(key, (bags[name].get(key) ?? 0) + 1)
  }
  for (let node: Node | null = root; node; node = nextNode(node, root)) {
    if (node.type === 'text')
      for (const [word] of node.text.matchAll(/[\p{L}\p{N}_]+/gu)) add('words', word.toLowerCase())
    else addElement(node, add)
  }
  return bags
}

const emphases: ReadonlySet<string> = new Set(['em', 'i', 'strong', 'b'])

function addElement(element: Element, add: (name: Construct, key: string) => void): void {
  const { name, attributes } = element
  if (name === 'a' && attributes.href !== undefined) add('link', `${decoded(attributes.href)} ${textKey(element)}`)
  if (name === 'img' && attributes.src) add('image', decoded(attributes.src))
  const key = emphases.has(name) || keyed[name] ? textKey(element) : ''
  if (key === '') return
  if (/^h[1-6]$/.test(name)) add('heading', `${name} ${key}`)
  else if (name === 'li') add('item', key)
  else if (name === 'td' || name === 'th') add('cell', key)
  else if (name === 'blockquote') add('quote', key)
  else if (name === 'pre') add('code', textOf(element).trim())
  else if (name === 'code' && !isInside(element, 'pre')) add('code', textOf(element).trim())
  else if (emphases.has(name)) add('emphasis', `${name === 'i' || name === 'em' ? 'em' : 'strong'} ${key}`)
}

const keyed: Readonly<Record<string, boolean>> = Object.fromEntries(
  ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'li', 'td', 'th', 'blockquote', 'pre', 'code'].map((name) => [name, true]),
)

function isInside(element: Element, name: string): boolean {
  for (let at = element.parent; at; at = at.parent) if (at.name === name) return true
  return false
}

/** Letters and digits only: how words are spaced and quoted is not what is asked here. */
function textKey(element: Element): string {
  return textOf(element)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, '')
}

function decoded(address: string): string {
  const url = address.trim()
  try {
    return decodeURI(url)
  } catch {
    return url
  }
}

export interface Tally {
  shared: number
  source: number
  result: number
}

export const noTally = (): Record<Construct, Tally> =>
  Object.fromEntries(constructs.map((name) => [name, { shared: 0, source: 0, result: 0 }])) as Record<Construct, Tally>

export function count(tally: Record<Construct, Tally>, source: Bags, result: Bags): void {
  for (const name of constructs) {
    const own = tally[name]
    for (const times of source[name].values()) own.source += times
    for (const [key, times] of result[name]) {
      own.result += times
      own.shared += Math.min(times, source[name].get(key) ?? 0)
    }
  }
}

export function f1({ shared, source, result }: Tally): number {
  return source + result === 0 ? 1 : (2 * shared) / (source + result)
}
