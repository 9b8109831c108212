import { expect, test } from 'vitest'

import type { AxNode } from './ax-node.ts'
import { readSnapshot } from './snapshot.ts'
import type { LiveTabs } from './tabs.ts'

/** A tab with a page of that many buttons, in each of its frames. */
function tabsWith(buttons: number, childFrames = 0): LiveTabs {
  const ids = Array.from({ length: buttons }, (_, at) => `b${at}`)
  const nodes = [
    { nodeId: 'root', role: { value: 'RootWebArea' }, name: { value: 'Shop' }, childIds: ids },
    ...ids.map((nodeId, at) => ({
      ...{ nodeId, parentId: 'root', role: { value: 'button' }, name: { value: nodeId }, backendDOMNodeId: at },
    })),
  ] as unknown as readonly AxNode[]
  const results: Readonly<Record<string, object>> = {
    'Page.getFrameTree': {
      frameTree: {
        frame: { id: 'main', url: 'https://shop.test/' },
        childFrames: Array.from({ length: childFrames }, (_, at) => ({ frame: { id: `frame${at}` } })),
      },
    },
    'Memory.getDOMCounters': { nodes: buttons },
    'Accessibility.getFullAXTree': { nodes },
  }
  const page = { id: 'tab', send: async (method: string) => results[method] ?? {}, listen: () => () => undefined }
  return { page: async () => page } as unknown as LiveTabs
}

test('a page of more than 2,000 lines is cut with a note, and one of 2,000 lines has none', async () => {
  const { shown: whole } = await readSnapshot(tabsWith(2_000))
  expect([whole.text.split('\n').length, whole.note]).toEqual([2_000, undefined])
  const { shown: cut } = await readSnapshot(tabsWith(2_001))
  expect([cut.text, cut.note]).toEqual([whole.text, expect.stringMatching(/its beginning, of at most 2000 lines/)])
})

test('a page of more than 20 frames has a note about the frames that are not read', async () => {
  expect((await readSnapshot(tabsWith(1, 19))).shown.note).toBeUndefined()
  expect((await readSnapshot(tabsWith(1, 20))).shown.note).toBe('The page has 21 frames: only the first 20 are read.')
})
