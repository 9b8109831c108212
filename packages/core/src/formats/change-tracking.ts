import { z } from 'zod'

import { tariff } from '../credits/tariff.ts'
import { changesInWords, changesOfFields, type FieldChanges, type TwoVersions } from '../asking/field-changes.ts'
import { diffOf, isComparable, sightingOf, changeStatusOf, type ChangeStatus } from '../changes/compare.ts'
import type { History, PageText } from '../changes/history.ts'
import type { TextDiff } from '../changes/text-diff.ts'
import { EngineError } from '@harvestman/ports'
import {
  compilePatterns,
  isPatternProblem,
  type Patterns,
  isSchemaFault,
  readJsonSchema,
} from '@harvestman/json-schema'
import { llmPort } from '../plugin/core-ports.ts'
import { defineFormat } from '../plugin/define.ts'
import type { DeriveContext } from '../plugin/field.ts'
import { definePort } from '../plugin/port.ts'
import { jsonSchema } from '../schema/json-schema.ts'
import { selector } from '../schema/selector.ts'
import { markdown } from './markdown.ts'
import { pageTexts } from './readings.ts'

/** What pages were. Every engine has one, in its store. */
export const historyPort = definePort<History>({ name: 'history', help: 'a history of pages, which every engine has' })

/** How a page stands to what it was when it was last looked at. Names are those of the public API. */
export interface ChangeTracking {
  readonly previousScrapeAt: string | null
  readonly changeStatus: ChangeStatus
  readonly visibility: 'visible' | 'hidden'
  readonly diff?: TextDiff
  readonly json?: FieldChanges
}

const ignore = z.strictObject({
  selectors: z
    .array(selector)
    .max(100)
    .meta({ title: 'Selectors', description: 'Elements whose words are not compared.' })
    .default([]),
  patterns: z
    .array(z.string())
    .max(100)
    .meta({ title: 'Patterns', description: 'Lines that a pattern finds are not compared.' })
    .default([]),
})

const options = z.object({
  modes: z
    .array(z.enum(['git-diff', 'json']))
    .max(2)
    .meta({
      title: 'Modes',
      description: 'How changes are shown: as a diff of the text, or by the fields of a schema.',
    })
    .default([]),
  schema: jsonSchema.meta({ title: 'Schema', description: 'The fields that are compared.' }).optional(),
  prompt: z.string().max(10_000).meta({ title: 'Prompt', description: 'What to look for.' }).optional(),
  tag: z
    .string()
    .max(200)
    .nullable()
    .meta({ title: 'Tag', description: 'A page is compared with what it was under the same tag.' })
    .default(null),
  ignore: ignore
    .meta({ title: 'Ignore', description: 'What is not compared, such as the date of today.' })
    .default(ignore.parse({})),
})

type Options = z.output<typeof options>

/** Compares a page with what it was, and remembers it. */
export const changeTracking = defineFormat({
  type: 'changeTracking',
  options,
  optionsUnder: 'changeTrackingOptions',
  requires: { history: historyPort },
  uses: { llm: llmPort },
  requiresFor: ({ modes }) => (modes.includes('json') ? [llmPort] : []),
  isFresh: true,
  follows: ({ tag }) => tag,
  leastTimeout: 60_000,
  accompanies: ['markdown'],
  check: checkOptions,
  value: z
    .object({
      previousScrapeAt: z.string().nullable(),
      changeStatus: z.enum(['new', 'same', 'changed', 'removed']),
      visibility: z.enum(['visible', 'hidden']),
      diff: z.object({ text: z.string(), json: z.object({ files: z.array(z.unknown()) }) }).optional(),
      json: z.record(z.string(), z.object({ previous: z.unknown(), current: z.unknown() })).optional(),
    })
    .describe('How the page stands to what it was when it was last looked at.'),
  needs: { markdown, pageTexts },
  derive: async ({ markdown, pageTexts }, context): Promise<ChangeTracking | undefined> => {
    const { options, page, request, warn, team, ports } = context
    if (request.zeroDataRetention) {
      warn('Change tracking is not supported with zero data retention.')
      return undefined
    }
    if (!isComparable(page.status)) {
      warn(`The page answered with status ${page.status}, so it was not compared.`)
      return undefined
    }
    const patterns = patternsIn(options)
    const sighting = sightingOf({ markdown, hidden: pageTexts }, page.status, patterns)
    const before = await newest(ports.history, { team, url: request.url, tag: options.tag }, warn)
    if (before === 'failed') return undefined
    const changeStatus = changeStatusOf(sighting, before)
    const isChanged = changeStatus === 'changed' && before !== undefined
    return {
      previousScrapeAt: before ? new Date(before.version.seen).toISOString() : null,
      changeStatus,
      visibility: page.isUnlinked ? 'hidden' : 'visible',
      ...(isChanged && (await details(before.text, sighting, patterns, context))),
    }
  },
  keep: async (_, { options, needs, page, request, ports, team, task }) => {
    const text = { markdown: needs.markdown, hidden: needs.pageTexts }
    const sighting = sightingOf(text, page.status, patternsIn(options))
    await ports.history.keep({ team, url: request.url, tag: options.tag }, sighting, task)
  },
  credits: ({ modes }) => (modes.includes('json') ? tariff.modelFormat : 0),
})

function checkOptions({ schema, ignore: { patterns } }: Options): string | undefined {
  const compiled = compilePatterns(patterns)
  if (isPatternProblem(compiled)) return `has an ignore.patterns that ${compiled.problem}`
  const read = schema && readJsonSchema(schema)
  return read && isSchemaFault(read) ? `has a schema that ${read.problem}` : undefined
}

function patternsIn({ ignore: { patterns } }: Options): Patterns {
  const compiled = compilePatterns(patterns)
  if (isPatternProblem(compiled)) throw new EngineError('invalid_request', `ignore.patterns ${compiled.problem}.`)
  return compiled
}

async function newest(history: History, key: Parameters<History['newest']>[0], warn: (sentence: string) => void) {
  try {
    return await history.newest(key)
  } catch {
    warn('Comparing failed, please try again later.')
    return 'failed'
  }
}

type Context = DeriveContext<Options, { history: typeof historyPort }, { llm: typeof llmPort }>

async function details(
  previous: PageText,
  current: PageText,
  patterns: Patterns,
  { options: { modes, schema, prompt }, page, ports: { llm }, signal, use, warn }: Context,
): Promise<Pick<ChangeTracking, 'diff' | 'json'>> {
  const diff = diffOf(previous, current, patterns)
  const versions: TwoVersions = {
    url: page.url,
    previous: previous.markdown,
    current: current.markdown,
    diff: diff.text,
  }
  const ask = async (): Promise<FieldChanges | undefined> => {
    if (!llm || !modes.includes('json')) return undefined
    const asker = { llm, signal, use, warn }
    try {
      return await (schema ? changesOfFields(asker, versions, schema, prompt) : changesInWords(asker, versions, prompt))
    } catch (error) {
      signal.throwIfAborted()
      if (!EngineError.is(error)) throw error
      warn('Structured diff generation failed.')
      return undefined
    }
  }
  const json = await ask()
  return { ...(modes.includes('git-diff') && { diff }), ...(json && { json }) }
}
