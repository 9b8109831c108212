// The main content of a page, whatever kind of page it is: which nodes a writer leaves out, and what to tell the user.
import type { Element, Node } from '../tree/tree.ts'
import { chooseBlocks } from './choose.ts'
import { completeBlocks } from './complete.ts'
import { textFromData } from './data-text.ts'
import { explainBlocks, type ExplainedBlock } from './explain.ts'
import { evenItems } from './even.ts'
import type { Described } from './described.ts'
import { describe } from './features.ts'
import { columnsOf, standsIn } from './furniture.ts'
import { judge } from './judge.ts'
import { loadModel } from './model.ts'
import { removedNodes } from './removed.ts'

export interface MainContent {
  /** Nodes that a writer leaves out, with all that they hold. */
  readonly removed: ReadonlySet<Node>
  /** The page has its words in `<noscript>`, so a writer must read it. */
  readonly noscript: boolean
  /** Markdown of what the page says only in its JSON-LD, to be written after the rest. */
  readonly extraText?: string
  readonly warning?: string
  /** Every block with its score and the features that decided. Worked out when asked. */
  readonly explain: () => readonly ExplainedBlock[]
}

export function findMainContent(root: Element, url: string): MainContent {
  const described = describe(root, url, loadModel().reading)
  return mainContentFrom(root, described, judge(described))
}

/** The same from chances that are known already: the benches bring those of models that never saw the page. */
export function mainContentFrom(root: Element, described: Described, judged: Float32Array): MainContent {
  const { blocks, outside } = described
  const chances = evenItems(
    described,
    judged.map((chance, i) => (outside[i] === 1 ? 0 : chance)),
  )
  const chosen = chooseBlocks(described, chances)
  completeBlocks(described, chances, chosen)
  const net = catchFall(described, chosen)
  const kept = net?.kept ?? chosen
  const extraText = textFromData(described, kept)
  return {
    removed: removedNodes(root, blocks, kept),
    noscript: blocks.noscript,
    ...(extraText === undefined ? {} : { extraText }),
    ...(net?.warning === undefined ? {} : { warning: net.warning }),
    explain: () => explainBlocks(described, chances, kept),
  }
}

const furniture = columnsOf('nav', 'footer', 'aside', 'header', 'dialog', 'form', 'search', 'hidden')

/** Nothing was found: on a page that has words better too much than nothing, and the user is told. */
function catchFall({ blocks }: Described, chosen: Uint8Array): Net | undefined {
  if (chosen.includes(1) || blocks.total.words === 0) return undefined
  const outside = chosen.map((_, i) => (standsIn(blocks, i, furniture) ? 0 : 1))
  const kept = outside.includes(1) ? outside : chosen.map(() => 1)
  return blocks.total.words < fewWords ? { kept } : { kept, warning: notFound }
}

interface Net {
  readonly kept: Uint8Array
  readonly warning?: string
}

/** A page of fewer words has no parts to choose from: that all of it is given needs no warning. */
const fewWords = 40

const notFound =
  'No main content was found on this page, so all of it is given. Set onlyMainContent to false to ask for this.'
