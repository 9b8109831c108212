import { expect, test } from 'vitest'

import { builtIn } from '../defaults.ts'
import { html } from '../formats/html.ts'
import { markdown } from '../formats/markdown.ts'
import { defineFormat, definePlugin } from '../plugin/define.ts'
import type { Plugin } from '../plugin/parts.ts'
import { makeRegistry } from '../plugin/registry.ts'
import { buildScrapeSchema } from '../plugin/build-schema.ts'
import { check } from '../schema/problems.ts'
import { requestDefaults } from '../schema/scrape.ts'
import { makePlan } from './plan.ts'

function encoded(formats: readonly unknown[], plugin?: Plugin, isOnlyKept = true): readonly string[] {
  const registry = makeRegistry(builtIn({ browser: false }), plugin ? [plugin] : [])
  const request = check(buildScrapeSchema(registry, requestDefaults), { url: 'https://example.com/', formats })
  const kit = { registry, ports: new Map([['llm', {}]]) }
  const { readings } = makePlan(request, kit, { encoded: isOnlyKept })
  return readings.flatMap(({ name, encode }) => (encode ? [name] : [])).toSorted()
}

const shout = defineFormat({ type: 'shout', needs: { html }, derive: ({ html }) => html.toUpperCase() })
const house = definePlugin({ name: 'house', formats: [shout] })

test('what goes into the document as it is read is encoded', () => {
  expect(encoded(['markdown', 'links', 'html'])).toEqual(['html', 'links', 'markdown'])
})

test('a value that its options shorten is not encoded', () => {
  expect(encoded([{ type: 'markdown', maxTokens: 100 }, 'links'])).toEqual(['links'])
})

test('nothing is encoded for a caller who looks at the document', () => {
  expect(encoded(['markdown', 'links'], undefined, false)).toEqual([])
})

test('what another format is made of is not encoded, whether it is asked for or not', () => {
  expect(encoded(['markdown', 'links', { type: 'json', prompt: 'x' }])).toEqual(['links'])
  expect(encoded(['html', 'markdown', 'shout'], house)).toEqual(['markdown'])
  expect(encoded(['shout'], house)).toEqual([])
})

test('a format that a plugin has put in the place of ours is made as it says', () => {
  const ours = defineFormat({ type: 'markdown', needs: { html }, derive: ({ html }) => html })
  expect(encoded(['markdown'], definePlugin({ name: 'other', formats: [ours] }))).toEqual([])
  expect(markdown.is?.name).toBe('page.markdown')
})
