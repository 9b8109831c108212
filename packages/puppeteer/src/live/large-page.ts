// Reads a page that is too large for the browser's accessibility tree, up to a number of nodes.
import { pageCall } from '@harvestman/toolbox/page-call'

import { readNodes } from '../page-scripts.ts'
import type { AxNode, LargePageLimits } from './ax-node.ts'
import type { TabPage } from './tabs.ts'

const objectGroup = 'harvestman-snapshot'

/**
 * Returns the first nodes of the main frame in the form of an accessibility tree, up to `limits`, and whether there are more.
 * Rejects if the page crashes or the browser fails.
 */
export async function readLargePage(
  page: TabPage,
  frameId: string,
  limits: LargePageLimits,
): Promise<{ readonly nodes: readonly AxNode[]; readonly isCut: boolean }> {
  const made = await page.send('Page.createIsolatedWorld', { frameId, worldName: 'harvestman' })
  const contextId = made['executionContextId']
  const expression = pageCall(readNodes, limits)
  const { result } = await page.send('Runtime.evaluate', { expression, contextId, objectGroup })
  const { objectId } = result as { objectId: string }
  const call = (functionDeclaration: string, returnByValue: boolean) =>
    page.send('Runtime.callFunctionOn', { objectId, functionDeclaration, returnByValue, objectGroup })
  try {
    const read = await call('function () { return { nodes: this.nodes, isCut: this.isCut } }', true)
    const { nodes, isCut } = (read['result'] as { value: { nodes: readonly AxNode[]; isCut: boolean } }).value
    const list = await call('function () { return this.elements }', false)
    const ids = await backendIdsOf(page, (list['result'] as { objectId: string }).objectId)
    const refer = (node: AxNode): AxNode =>
      node.backendDOMNodeId === undefined ? node : { ...node, backendDOMNodeId: ids[node.backendDOMNodeId] }
    return { nodes: nodes.map(refer), isCut }
  } finally {
    page.send('Runtime.releaseObjectGroup', { objectGroup }).catch(() => undefined)
  }
}

async function backendIdsOf(page: TabPage, objectId: string): Promise<readonly (number | undefined)[]> {
  const { result } = await page.send('Runtime.getProperties', { objectId, ownProperties: true })
  const all = result as readonly { readonly name: string; readonly value?: { readonly objectId?: string } }[]
  const elements = all.filter(({ name, value }) => /^\d+$/.test(name) && value?.objectId !== undefined)
  return Promise.all(
    elements.map(async ({ value }) => {
      const { node } = await page.send('DOM.describeNode', { objectId: value?.objectId })
      return (node as { backendNodeId: number }).backendNodeId
    }),
  )
}
