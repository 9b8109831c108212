// Lists and calls tools of pages that say whatever they like.
import type { Json } from '@harvestman/ports'
import { untilAborted } from '@harvestman/toolbox/until-aborted'
import { describe, expect, test } from 'vitest'

import { callDeclaredTool, listDeclaredTools } from '../page-scripts.ts'
import { callPageTool, listPageTools } from './page-tools.ts'

const soon = (): AbortSignal => AbortSignal.timeout(20_000)

interface FakePage {
  /** The JSON of the tools. */
  readonly listed: string
  /** The JSON of the result. Without it, the page never responds. */
  readonly returned?: string
  readonly url?: string
}

function pageOf({ listed, returned, url }: FakePage) {
  const calls: (readonly Json[])[] = []
  return {
    calls,
    permit: async () => url,
    call: async (script: string, args: readonly Json[], signal: AbortSignal): Promise<string> => {
      if (script === listDeclaredTools) return listed
      if (script === callDeclaredTool) calls.push(args)
      if (returned !== undefined) return returned
      return untilAborted(new Promise<never>(() => undefined), signal)
    },
  }
}

const toolOf = (inputSchema: string): string => `[{ "name": "find", "description": "Finds.", "isReadOnly": true,
  "isForm": false, "inputSchema": ${inputSchema} }]`
const done = JSON.stringify({ status: 'done', result: '1', isCut: false })
const call = { name: 'find', input: {}, timeout: 10 }

describe('A schema of a page', () => {
  test.each([
    ['is deeper than can be printed', `${'{"not":'.repeat(80_000)}{}${'}'.repeat(80_000)}`, 'more than 60 levels'],
    ['is too long', JSON.stringify({ title: 'x'.repeat(20_001) }), 'more than 20000 characters'],
    ['is no object', '[]', 'is not an object'],
  ])('that %s omits its tool', async (_, schema, reason) => {
    const page = pageOf({ listed: toolOf(schema), returned: done })
    const { tools, omitted } = await listPageTools(page, soon())
    expect({ tools, omitted }).toEqual({
      tools: [],
      omitted: [{ name: 'find', reason: expect.stringContaining(reason) }],
    })
    await expect(callPageTool(page, call, soon())).rejects.toMatchObject({
      ...{ code: 'invalid_request', message: expect.stringContaining(reason) },
    })
    expect(page.calls).toEqual([])
  })

  test.each([
    ['an invalid pattern', { pattern: '(' }, 'is the pattern "("'],
    [
      'expensive patterns',
      { anyOf: Array.from({ length: 600 }, () => `(\\pL{9}){9}x`).map((one, index) => ({ pattern: one + index })) },
      'too large together',
    ],
  ])('with %s is read for the call only, and refused', async (_, schema, reason) => {
    const page = pageOf({ listed: toolOf(JSON.stringify(schema)), returned: done })
    expect((await listPageTools(page, soon())).tools).toMatchObject([{ name: 'find', inputSchema: schema }])
    await expect(callPageTool(page, call, soon())).rejects.toMatchObject({
      ...{ code: 'invalid_request', message: expect.stringContaining(reason) },
    })
    expect(page.calls).toEqual([])
  })
})

describe('A call', () => {
  test('has failed soon after its timeout if the page never responds', async () => {
    const page = pageOf({ listed: toolOf('{}') })
    expect(await callPageTool(page, call, soon())).toEqual({
      ...{ status: 'failed', isCut: false, error: 'The page did not respond within 10 ms.' },
    })
    const caller = AbortSignal.abort(new Error('Enough.'))
    await expect(callPageTool(page, call, caller)).rejects.toThrow('Enough.')
  })

  test('is made on the page only that policies have decided about', async () => {
    const url = 'https://shop.example/'
    const asked = pageOf({ listed: toolOf('{}'), returned: done, url })
    const free = pageOf({ listed: toolOf('{}'), returned: done })
    for (const page of [asked, free]) expect(await callPageTool(page, call, soon())).toMatchObject({ status: 'done' })
    const limits = { timeout: 10, maxCharacters: 100_000 }
    expect([asked.calls, free.calls]).toEqual([[['find', {}, { ...limits, url }]], [['find', {}, limits]]])
  })

  test('with input that is too deep is refused', async () => {
    const input = JSON.parse(`{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`) as Record<string, Json>
    const called = callPageTool(pageOf({ listed: toolOf('{}') }), { ...call, input }, soon())
    await expect(called).rejects.toMatchObject({ message: expect.stringContaining('more than 60 levels') })
  })
})
