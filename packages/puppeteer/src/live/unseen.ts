// Finds what nobody can see although the browser's accessibility tree has it, such as white text on white.
import { pageCall } from '@harvestman/toolbox/page-call'

import { findUnseen } from '../page-scripts.ts'
import type { TabPage } from './tabs.ts'

const objectGroup = 'harvestman-unseen'

/** Why nodes cannot be seen, by their backend ids. */
export type UnseenNodes = ReadonlyMap<number, string>

/** What the script of the page returns for each of its elements. */
interface Reasons {
  readonly reasons: readonly string[]
  readonly isInner: readonly boolean[]
}

interface DomNode {
  readonly backendNodeId: number
  readonly children?: readonly DomNode[]
  readonly shadowRoots?: readonly DomNode[]
}

/** Returns the nodes of a frame that nobody can see. Empty for a frame that cannot be read, or that is too large. */
export async function readUnseen(page: TabPage, frameId: string): Promise<UnseenNodes> {
  try {
    const made = await page.send('Page.createIsolatedWorld', { frameId, worldName: 'harvestman' })
    const contextId = made['executionContextId']
    const { result } = await page.send('Runtime.evaluate', {
      expression: pageCall(findUnseen),
      contextId,
      objectGroup,
    })
    const { objectId } = result as { readonly objectId: string }
    return await nodesOf(page, objectId)
  } catch {
    return new Map()
  } finally {
    page.send('Runtime.releaseObjectGroup', { objectGroup }).catch(() => undefined)
  }
}

async function nodesOf(page: TabPage, objectId: string): Promise<UnseenNodes> {
  const call = (functionDeclaration: string, returnByValue: boolean) =>
    page.send('Runtime.callFunctionOn', { objectId, functionDeclaration, returnByValue, objectGroup })
  const read = await call('function () { return { reasons: this.reasons, isInner: this.isInner } }', true)
  const { reasons, isInner } = (read['result'] as { readonly value: Reasons }).value
  if (reasons.length === 0) return new Map()
  const list = await call('function () { return this.elements }', false)
  const { result } = await page.send('Runtime.getProperties', {
    objectId: (list['result'] as { readonly objectId: string }).objectId,
    ownProperties: true,
  })
  const all = result as readonly { readonly name: string; readonly value?: { readonly objectId?: string } }[]
  const elements = all.filter(({ name, value }) => /^\d+$/.test(name) && value?.objectId !== undefined)
  const trees = await Promise.all(
    elements.map(async ({ value }, index) => {
      // Only the outermost elements are read with their descendants, so that each node of the page is read once.
      const depth = isInner[index] ? 0 : -1
      const { node } = await page.send('DOM.describeNode', { objectId: value?.objectId, depth, pierce: true })
      return node as DomNode
    }),
  )
  const marks = new Map(trees.map(({ backendNodeId }, index) => [backendNodeId, reasons[index] ?? '']))
  const unseen = new Map<number, string>()
  for (const [index, tree] of trees.entries()) if (!isInner[index]) note(tree, marks, unseen)
  return unseen
}

const ofText = new Set(['font-size', 'indent', 'color', 'shown'])

/** Notes all unseen nodes of a tree. The reason of an inner element replaces that of an outer one. */
function note(tree: DomNode, marks: ReadonlyMap<number, string>, unseen: Map<number, string>): void {
  const open = [{ node: tree, outer: 'shown' }]
  for (let at = open.pop(); at; at = open.pop()) {
    const { node, outer } = at
    // What hides a whole element hides all elements in it.
    const reason = ofText.has(outer) ? (marks.get(node.backendNodeId) ?? outer) : outer
    if (reason !== 'shown') unseen.set(node.backendNodeId, reason)
    for (const inner of [...(node.children ?? []), ...(node.shadowRoots ?? [])])
      open.push({ node: inner, outer: reason })
  }
}

/** Roles of controls that are often hidden behind a drawing or a label. */
const drawn = new Set('checkbox radio switch slider spinbutton combobox listbox option'.split(' '))
const fields = new Set(['textbox', 'searchbox'])

/** Returns whether a node that is hidden for this reason is still shown, as a visitor may use it. */
export function isUsable(role: string, reason: string): boolean {
  return drawn.has(role) || (reason === 'opacity' && fields.has(role))
}
