// Finds what nobody can see although the browser's accessibility tree has it, such as white text on white.
import { pageCall } from '@harvestman/toolbox/page-call'

import { findUnseen } from '../page-scripts.ts'
import type { TabPage } from './tabs.ts'

const objectGroup = 'harvestman-unseen'

/** Why nodes cannot be seen, by their backend ids. */
export type UnseenNodes = ReadonlyMap<number, string>

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
  const read = await call('function () { return this.reasons }', true)
  const reasons = (read['result'] as { readonly value: readonly string[] }).value
  const unseen = new Map<number, string>()
  if (reasons.length === 0) return unseen
  const list = await call('function () { return this.elements }', false)
  const { result } = await page.send('Runtime.getProperties', {
    objectId: (list['result'] as { readonly objectId: string }).objectId,
    ownProperties: true,
  })
  const all = result as readonly { readonly name: string; readonly value?: { readonly objectId?: string } }[]
  const elements = all.filter(({ name, value }) => /^\d+$/.test(name) && value?.objectId !== undefined)
  const trees = await Promise.all(
    elements.map(async ({ value }) => {
      const { node } = await page.send('DOM.describeNode', { objectId: value?.objectId, depth: -1, pierce: true })
      return node as DomNode
    }),
  )
  // In document order, so that the reason of an inner element replaces that of an outer one.
  for (const [index, tree] of trees.entries()) note(tree, reasons[index] ?? '', unseen)
  return unseen
}

const ofText = new Set(['font-size', 'indent', 'color'])

function note(tree: DomNode, reason: string, unseen: Map<number, string>): void {
  const outer = unseen.get(tree.backendNodeId)
  // What hides a whole element hides all elements in it.
  if (outer !== undefined && !ofText.has(outer)) return
  const open = [tree]
  for (let node = open.pop(); node; node = open.pop()) {
    if (reason === 'shown') unseen.delete(node.backendNodeId)
    else unseen.set(node.backendNodeId, reason)
    open.push(...(node.children ?? []), ...(node.shadowRoots ?? []))
  }
}

/** Roles of controls that are often hidden behind a drawing or a label. */
const drawn = new Set('checkbox radio switch slider spinbutton combobox listbox option'.split(' '))
const fields = new Set(['textbox', 'searchbox'])

/** Returns whether a node that is hidden for this reason is still shown, as a visitor may use it. */
export function isUsable(role: string, reason: string): boolean {
  return drawn.has(role) || (reason === 'opacity' && fields.has(role))
}
