// The result of a search for hidden content.
import type { Node } from '../tree/tree.ts'
import type { HiddenReason } from './causes.ts'

/** Why initially hidden text still counts as content. */
export type KeptReason =
  /** A control on the page opens it, such as a tab, button, menu or link. */
  | 'control'
  /** Scripts show it, on load or on scroll. */
  | 'script'
  /** Most of the page is hidden this way, so scripts probably show it. */
  | 'share'
  /** The page declares it as subscriber-only. */
  | 'paywall'
  /** It labels a link, a button or an image for screen readers. */
  | 'label'

/** Text that is invisible when the page opens. */
export interface HiddenText {
  readonly reason: HiddenReason
  /** Why it still counts as content. Absent if it was removed. */
  readonly kept?: KeptReason
  /** Its start, up to `maxText` characters. */
  readonly text: string
  /** Full length in characters. */
  readonly length: number
}

/** The hidden parts of a page. */
export interface Hidden {
  /** Nodes to skip, with all their descendants. */
  readonly nodes: ReadonlySet<Node>
  /** Lists hidden text: up to `maxItems` removed passages, then up to as many that still count as content. */
  readonly explain: (limits: ExplainLimits) => readonly HiddenText[]
  /** Returns why each node in `nodes` is hidden, and which nodes are shown to screen readers only, as labels. */
  readonly reasons: () => ReadonlyMap<Node, HiddenReason>
  /** Returns the nodes that are invisible when the page opens: `nodes`, and nodes that a control or a script shows later. */
  readonly closed: () => ReadonlySet<Node>
}

export interface ExplainLimits {
  readonly maxItems: number
  /** Characters of each passage. */
  readonly maxText: number
}

export const nothingHidden: Hidden = {
  nodes: new Set(),
  explain: () => [],
  reasons: () => new Map(),
  closed: () => new Set(),
}
