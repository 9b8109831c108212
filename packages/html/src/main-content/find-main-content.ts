// Finds the main content of any kind of page: which nodes to remove, and an optional warning.
import type { Element, Node } from '../tree/tree.ts'
import { chooseBlocks } from './choose.ts'
import { completeBlocks } from './complete.ts'
import { textFromData } from './data-text.ts'
import { explainBlocks, type ExplainedBlock } from './explain.ts'
import { evenItems } from './even.ts'
import type { Described } from './described.ts'
import { describe } from './features.ts'
import { columnsOf, isWithin } from './furniture.ts'
import { judge } from './judge.ts'
import { loadModel } from './model.ts'
import { removedNodes } from './removed.ts'

export interface MainContent {
  /** Nodes to skip in the output, with all their descendants. */
  readonly removed: ReadonlySet<Node>
  /** Whether to include `<noscript>`, as the page has its content there. */
  readonly noscript: boolean
  /** Markdown to append: text that the page has only in its JSON-LD. */
  readonly extraText?: string
  readonly warning?: string
  /** Returns each block with its score and the most important features. Computed on demand. */
  readonly explain: () => readonly ExplainedBlock[]
}

/** Chooses the main content of a page with the bundled model. The tree is not changed. */
export function findMainContent(root: Element, url: string): MainContent {
  const described = describe(root, url, loadModel().reading)
  return mainContentFrom(root, described, judge(described))
}

/**
 * Returns the main content for known probabilities. Benchmarks pass probabilities of models that were not trained on
 * the page.
 */
export function mainContentFrom(root: Element, described: Described, judged: Float32Array): MainContent {
  const { blocks, outside } = described
  const chances = evenItems(
    described,
    judged.map((chance, i) => (outside[i] === 1 ? 0 : chance)),
  )
  const chosen = chooseBlocks(described, chances)
  completeBlocks(described, chances, chosen)
  const net = catchFall(described, chosen)
  const included = net?.included ?? chosen
  const extraText = textFromData(described, included)
  return {
    removed: removedNodes(root, blocks, included),
    noscript: blocks.noscript,
    ...(extraText === undefined ? {} : { extraText }),
    ...(net?.warning === undefined ? {} : { warning: net.warning }),
    explain: () => explainBlocks(described, chances, included),
  }
}

const furniture = columnsOf('nav', 'footer', 'aside', 'header', 'dialog', 'form', 'search', 'hidden')

/**
 * Returns the fallback if no block was chosen: everything outside the page's boilerplate, or else the whole page, with a
 * warning.
 */
function catchFall({ blocks }: Described, chosen: Uint8Array): Net | undefined {
  if (chosen.includes(1) || blocks.total.words === 0) return undefined
  const outside = chosen.map((_, i) => (isWithin(blocks, i, furniture) ? 0 : 1))
  const included = outside.includes(1) ? outside : chosen.map(() => 1)
  return blocks.total.words < fewWords ? { included } : { included, warning: notFound }
}

interface Net {
  readonly included: Uint8Array
  readonly warning?: string
}

/** Pages with fewer words get no warning, as they have nothing to choose from. */
const fewWords = 40

const notFound =
  'No main content was found on this page, so all of it is given. Set onlyMainContent to false to ask for this.'
