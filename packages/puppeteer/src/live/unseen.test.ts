import { expect, test } from 'vitest'

import { isUsable, readUnseen } from './unseen.ts'
import type { TabPage } from './tabs.ts'

interface Tree {
  readonly backendNodeId: number
  readonly children?: readonly Tree[]
  readonly shadowRoots?: readonly Tree[]
}

/** A page whose unseen elements have these reasons, and these trees. Counts the nodes that it is read as. */
function pageWith(reasons: readonly string[], trees: readonly Tree[], read = { nodes: 0 }): TabPage {
  const isInner = trees.map((tree, at) => trees.slice(0, at).some((outer) => idsOf(outer).includes(tree.backendNodeId)))
  const describe = (tree: Tree, depth: unknown): object => {
    read.nodes += depth === -1 ? idsOf(tree).length : 1
    return depth === -1 ? tree : { backendNodeId: tree.backendNodeId }
  }
  const results: Readonly<Record<string, (options: Record<string, unknown>) => object>> = {
    'Runtime.evaluate': () => ({ result: { objectId: 'found' } }),
    'Runtime.callFunctionOn': ({ returnByValue }) => ({
      result: returnByValue === true ? { value: { reasons, isInner } } : { objectId: 'elements' },
    }),
    'Runtime.getProperties': () => ({
      result: [...trees.map((_, at) => ({ name: String(at), value: { objectId: String(at) } })), { name: 'length' }],
    }),
    'DOM.describeNode': ({ objectId, depth }) => ({ node: describe(trees[Number(objectId)]!, depth) }),
  }
  const send = async (method: string, options: Record<string, unknown> = {}) => results[method]?.(options) ?? {}
  return { id: 'tab', send, listen: () => () => undefined } as unknown as TabPage
}

const idsOf = ({ backendNodeId, children = [], shadowRoots = [] }: Tree): number[] => [
  backendNodeId,
  ...[...children, ...shadowRoots].flatMap(idsOf),
]

const node = (backendNodeId: number, ...children: readonly Tree[]): Tree => ({ backendNodeId, children })

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

test('the nodes of nested elements are read once', async () => {
  const trees: Tree[] = []
  for (let id = 50; id > 0; id -= 1) trees.unshift(node(id, ...trees.slice(0, 1)))
  const read = { nodes: 0 }
  const page = pageWith(
    trees.map(() => 'opacity'),
    trees,
    read,
  )
  expect((await readUnseen(page, 'main')).size).toBe(50)
  // Each element itself, and the tree of the outermost one.
  expect(read.nodes).toBe(49 + 50)
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
