import { expect, test } from 'vitest'

import { isUsable, readUnseen } from './unseen.ts'
import type { TabPage } from './tabs.ts'

/** A page whose unseen elements have these reasons, and these trees. */
function pageWith(reasons: readonly string[], trees: readonly object[]): TabPage {
  const results: Readonly<Record<string, (options: Record<string, unknown>) => object>> = {
    'Runtime.evaluate': () => ({ result: { objectId: 'found' } }),
    'Runtime.callFunctionOn': ({ returnByValue }) => ({
      result: returnByValue === true ? { value: reasons } : { objectId: 'elements' },
    }),
    'Runtime.getProperties': () => ({
      result: [...trees.map((_, at) => ({ name: String(at), value: { objectId: String(at) } })), { name: 'length' }],
    }),
    'DOM.describeNode': ({ objectId }) => ({ node: trees[Number(objectId)] ?? {} }),
  }
  const send = async (method: string, options: Record<string, unknown> = {}) => results[method]?.(options) ?? {}
  return { id: 'tab', send, listen: () => () => undefined } as unknown as TabPage
}

const node = (backendNodeId: number, ...children: readonly object[]): object => ({ backendNodeId, children })

test('elements that nobody can see are unseen with all nodes in them, of shadow roots too', async () => {
  const tree = { ...node(1, node(2, node(3))), shadowRoots: [node(4)] }
  expect(await readUnseen(pageWith(['opacity'], [tree]), 'main')).toEqual(
    new Map([1, 2, 3, 4].map((id) => [id, 'opacity'])),
  )
})

test('text that is visible again inside white text is seen, but nothing inside a transparent element', async () => {
  const white = pageWith(['color', 'shown'], [node(1, node(2), node(3)), node(3)])
  expect(new Set((await readUnseen(white, 'main')).keys())).toEqual(new Set([1, 2]))
  const transparent = pageWith(['opacity', 'shown'], [node(1, node(2), node(3)), node(3)])
  expect(new Set((await readUnseen(transparent, 'main')).keys())).toEqual(new Set([1, 2, 3]))
})

test('a frame that cannot be read has nothing unseen', async () => {
  const send = async () => {
    throw new Error('The frame is gone.')
  }
  const page: TabPage = { ...pageWith([], []), send }
  expect((await readUnseen(page, 'main')).size).toBe(0)
})

test('a drawn checkbox and a transparent text field are usable, a transparent link and a text field outside the page are not', () => {
  expect(isUsable('checkbox', 'clip')).toBe(true)
  expect(isUsable('textbox', 'opacity')).toBe(true)
  expect(isUsable('link', 'opacity')).toBe(false)
  expect(isUsable('textbox', 'position')).toBe(false)
})
