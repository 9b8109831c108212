import TurndownService from 'turndown'
import { nextNode, parseHtml, toHtml } from '@harvestman/html/internal'

// Own types, because the types of turndown are not installed with this package and require `lib.dom`.

/* oxlint-disable typescript/no-explicit-any -- so that rules and plugins fit that are written with the types of turndown */
/** A turndown rule, which converts one kind of element to Markdown. `node` is a DOM element. */
export interface TurndownRule {
  readonly filter: string | readonly string[] | ((node: any, options: any) => boolean)
  readonly replacement?: (content: string, node: any, options: any) => string
}

/** A turndown plugin. It receives the turndown service. */
export type TurndownPlugin = (service: any) => void
/* oxlint-enable typescript/no-explicit-any */

/** Options of turndown, such as `headingStyle`. */
export type TurndownOptions = Readonly<Record<string, unknown>>

/** Settings for turndown. `keep` and `remove` are lists of tag names. */
export interface TurndownSettings {
  readonly rules?: Readonly<Record<string, TurndownRule>>
  readonly plugins?: readonly TurndownPlugin[]
  readonly options?: TurndownOptions
  readonly keep?: readonly string[]
  readonly remove?: readonly string[]
}

const style: TurndownOptions = {
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
  emDelimiter: '_',
}

/**
 * Creates a converter from HTML to Markdown that uses turndown, for custom rules and plugins. Tables and strikethrough are
 * built in. Scripts, styles, and content after 100,000 elements and texts are removed.
 */
export function turndownMarkdown(settings: TurndownSettings = {}): (html: string) => string {
  const { rules = {}, plugins = [], options = {}, keep = [], remove = [] } = settings
  const service = new TurndownService({ ...style, ...options })
  service.remove(['head', 'script', 'style', 'noscript', 'template'] as TurndownService.TagName[])
  for (const [name, rule] of Object.entries(builtIn)) service.addRule(name, rule as TurndownService.Rule)
  for (const plugin of plugins) service.use(plugin)
  for (const [name, rule] of Object.entries(rules)) service.addRule(name, rule as TurndownService.Rule)
  if (keep.length > 0) service.keep(keep as TurndownService.TagName[])
  if (remove.length > 0) service.remove(remove as TurndownService.TagName[])
  return (html) => service.turndown(tame(html))
}

// turndown recurses at each level and scans all descendants of an element at each of them, and its regular expressions take
// quadratic time on long runs of whitespace.
const deepest = 64
const maxNodes = 100_000
const maxRunLength = 500

function tame(html: string): string {
  const { root, body } = parseHtml(html, { depth: deepest, nodes: maxNodes })
  for (let node = nextNode(root, root); node; node = nextNode(node, root)) {
    if (node.type === 'text' && node.text.length > maxRunLength) node.text = shortenRuns(node.text)
  }
  return toHtml(body)
}

function shortenRuns(text: string): string {
  return text.replaceAll(/\s+/g, (run) => (run.length > maxRunLength ? run.slice(0, maxRunLength) : run))
}

// The table plugins of turndown search a cell's index among all siblings. These rules only check the neighbors.
const builtIn: Readonly<Record<string, TurndownRule>> = {
  strikethrough: { filter: ['del', 's'], replacement: (content) => (content === '' ? '' : `~~${content}~~`) },
  tableCell: {
    filter: ['th', 'td'],
    replacement: (content) =>
      ` ${content
        .trim()
        .replaceAll(/\s*\n\s*/g, ' ')
        .replaceAll('|', String.raw`\|`)} |`,
  },
  tableRow: {
    filter: 'tr',
    replacement: (content, node) => {
      // Cast: turndown declares a `Node` of `lib.dom`; only the properties of `DomElement` are used.
      const row = node as DomElement
      const width = countCells(row)
      if (width === 0) return ''
      const line = `|${content}\n`
      if (!isFirstRow(row)) return line
      const rule = `|${' --- |'.repeat(width)}\n`
      return row.firstElementChild?.nodeName === 'TH' ? line + rule : `|${'  |'.repeat(width)}\n${rule}${line}`
    },
  },
  tableSection: { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content },
  tableCaption: { filter: 'caption', replacement: (content) => `${content.trim()}\n\n` },
  table: { filter: 'table', replacement: (content) => `\n\n${content.trim()}\n\n` },
}

interface DomElement {
  readonly nodeName: string
  readonly parentNode: DomElement
  readonly previousElementSibling: DomElement | null
  readonly nextElementSibling: DomElement | null
  readonly firstElementChild: DomElement | null
}

function countCells(row: DomElement): number {
  let count = 0
  for (let cell = row.firstElementChild; cell; cell = cell.nextElementSibling) count++
  return count
}

function isFirstRow(row: DomElement): boolean {
  if (row.previousElementSibling) return false
  const before = row.parentNode.previousElementSibling
  return before === null || !['THEAD', 'TBODY', 'TFOOT'].includes(before.nodeName)
}
