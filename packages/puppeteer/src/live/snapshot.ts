import type { Snapshot } from '@harvestman/ports'

import type { AxNode, AxValue } from './ax-node.ts'
import { readLargePage } from './large-page.ts'
import type { LiveTabs, TabPage } from './tabs.ts'
import { isUsable, readUnseen, type UnseenNodes } from './unseen.ts'

/** The element that a snapshot's reference identifies. */
export interface Referred {
  readonly pageId: string
  readonly node: number
  /** Whether the element is in the tab's main frame. */
  readonly isTop: boolean
}

const actable = new Set(
  'button link textbox searchbox combobox listbox checkbox radio switch slider spinbutton menuitem menuitemcheckbox menuitemradio option tab treeitem'.split(
    ' ',
  ),
)
const silentRoles = new Set(['none', 'generic', 'InlineTextBox', 'LineBreak', 'RootWebArea', 'ListMarker'])
const states = new Set(['checked', 'disabled', 'expanded', 'pressed', 'selected', 'required', 'invalid', 'level'])

/**
 * Maximum number of nodes for the browser's accessibility tree, which takes about a second for 30,000. Larger pages are read in
 * another way.
 */
const maxNodes = 30_000
const maxLines = 2_000
const maxFrames = 20
const maxNameLength = 300

/**
 * Reads the page in front like a screen reader, with references to its elements for later actions. It has at most 2,000 lines,
 * from the first 20 frames, with a note if there are more lines or frames. Of a page with more than 30,000 nodes only the main frame is
 * read. Text, links and buttons that nobody can see are omitted, except on such a page. Rejects if the page crashes or the browser fails.
 */
export async function readSnapshot(
  liveTabs: LiveTabs,
): Promise<{ shown: Snapshot; refs: ReadonlyMap<string, Referred> }> {
  const page = await liveTabs.page()
  const { frameTree } = await page.send('Page.getFrameTree')
  const refs = new Map<string, Referred>()
  const lines: string[] = []
  let title = ''
  const allFrames = framesOf(frameTree as FrameTree)
  const frames = allFrames.slice(0, maxFrames)
  const [main = ''] = frames
  const large = (await hasAtMost(page, main, maxNodes)) ? undefined : await readLarge(page, main)
  for (const [index, frameId] of frames.entries()) {
    const nodes = large ? (index === 0 ? large.nodes : []) : await treeOf(page, frameId)
    if (nodes.length === 0) continue
    const unseen = large ? noNodes : await readUnseen(page, frameId)
    if (index === 0) title = textOf(nodes.find(({ parentId }) => parentId === undefined)?.name)
    else lines.push('- frame:')
    printTree(seenNodes(nodes, unseen), index > 0 ? 1 : 0, lines, (node) => {
      const ref = `e${refs.size + 1}`
      refs.set(ref, { pageId: page.id, node, isTop: index === 0 })
      return ref
    })
  }
  const text = lines.slice(0, maxLines).join('\n')
  const { url } = (frameTree as FrameTree).frame
  const isCut = large?.isCut === true || lines.length > maxLines
  const readFrames = large ? 1 : frames.length
  const notes = [
    isCut ? cutNote : [],
    readFrames < allFrames.length ? framesNote(readFrames, allFrames.length) : [],
  ].flat()
  return { shown: { url, title, text, ...(notes.length > 0 && { note: notes.join(' ') }) }, refs }
}

const noNodes: UnseenNodes = new Map()

/** Returns the nodes with those ignored that nobody can see, unless a visitor may use them. */
function seenNodes(nodes: readonly AxNode[], unseen: UnseenNodes): readonly AxNode[] {
  if (unseen.size === 0) return nodes
  return nodes.map((node) => {
    const reason = unseen.get(node.backendDOMNodeId ?? -1)
    return reason === undefined || isUsable(textOf(node.role), reason) ? node : { ...node, ignored: true }
  })
}

const cutNote = `The page is too large to be read whole: this is its beginning, of at most ${maxLines} lines. Narrow it down, for example with a search on the site.`

function framesNote(read: number, all: number): string {
  return `The page has ${all} frames: only the first ${read === 1 ? 'one is' : `${read} are`} read.`
}

function readLarge(page: TabPage, main: string): ReturnType<typeof readLargePage> {
  return readLargePage(page, main, { nodes: maxNodes, lines: maxLines })
}

/**
 * Returns whether the process of the page has at most this many DOM nodes. Nodes of earlier pages count until the browser has
 * collected them, so this may trigger a garbage collection.
 */
async function hasAtMost(page: TabPage, frameId: string, nodes: number): Promise<boolean> {
  const count = async (): Promise<number> => Number((await page.send('Memory.getDOMCounters'))['nodes'])
  if ((await count()) <= nodes) return true
  if ((await countElements(page, frameId)) > nodes / 4) return false
  await page.send('HeapProfiler.collectGarbage')
  return (await count()) <= nodes
}

async function countElements(page: TabPage, frameId: string): Promise<number> {
  const made = await page.send('Page.createIsolatedWorld', { frameId, worldName: 'harvestman' })
  const expression = 'document.getElementsByTagName("*").length'
  const { result } = await page.send('Runtime.evaluate', { expression, contextId: made['executionContextId'] })
  return Number((result as { readonly value?: unknown }).value)
}

interface FrameTree {
  readonly frame: { readonly id: string; readonly url: string }
  readonly childFrames?: readonly FrameTree[]
}

function framesOf({ frame, childFrames = [] }: FrameTree): string[] {
  return [frame.id, ...childFrames.flatMap(framesOf)]
}

/** Returns the accessibility tree of a frame, empty for a frame in another process. */
async function treeOf(page: TabPage, frameId: string): Promise<readonly AxNode[]> {
  try {
    const { nodes } = await page.send('Accessibility.getFullAXTree', { frameId })
    return nodes as readonly AxNode[]
  } catch {
    return []
  }
}

function printTree(nodes: readonly AxNode[], start: number, lines: string[], refer: (node: number) => string): void {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const root = nodes.find(({ parentId }) => parentId === undefined)
  // An explicit stack, since pages may be nested deeper than the call stack allows.
  const open: { node: AxNode; depth: number; within: string }[] = root ? [{ node: root, depth: start, within: '' }] : []
  // One line more than the limit shows that the page is cut.
  while (open.length > 0 && lines.length <= maxLines) {
    const { node, depth, within } = open.pop()!
    const line = lineOf(node, within, refer)
    if (line !== undefined) lines.push(`${'  '.repeat(Math.min(depth, 20))}- ${line}`)
    const inner = {
      depth: depth + (line === undefined ? 0 : 1),
      within: line === undefined ? within : textOf(node.name),
    }
    for (const id of (node.childIds ?? []).toReversed()) {
      const child = byId.get(id)
      if (child) open.push({ node: child, ...inner })
    }
  }
}

function lineOf(node: AxNode, within: string, refer: (node: number) => string): string | undefined {
  const role = textOf(node.role)
  const name = textOf(node.name)
  if (node.ignored || silentRoles.has(role)) return undefined
  // Skip the label of a button or link, which is already its name.
  if (role === 'StaticText') return name === '' || within.includes(name) ? undefined : `text: ${quoted(name)}`
  const canAct = actable.has(role) && node.backendDOMNodeId !== undefined
  const notes = (node.properties ?? []).filter(({ name: key, value }) => states.has(key) && isSet(value))
  if (!canAct && name === '' && notes.length === 0 && !['list', 'table', 'form', 'dialog'].includes(role))
    return undefined
  const value = textOf(node.value)
  return [
    role,
    ...(name === '' ? [] : [quoted(name)]),
    ...(value === '' ? [] : [`value=${quoted(value)}`]),
    ...notes.map(({ name: key, value: { value: said } }) => (said === true ? `[${key}]` : `[${key}=${String(said)}]`)),
    ...(canAct && node.backendDOMNodeId !== undefined ? [`[ref=${refer(node.backendDOMNodeId)}]`] : []),
  ].join(' ')
}

function isSet({ value }: AxValue): boolean {
  return value !== false && value !== 'false' && value !== undefined
}

function textOf(value: AxValue | undefined): string {
  return value?.value === undefined ? '' : String(value.value).trim().slice(0, maxNameLength)
}

function quoted(text: string): string {
  return JSON.stringify(text)
}
