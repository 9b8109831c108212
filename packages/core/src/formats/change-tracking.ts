import { z } from 'zod'

import { tariff } from '../credits/tariff.ts'
import type { FieldChanges, TwoVersions } from '@harvestman/asking'
import { isComparable, isRemoved, changeStatusOf, type ChangeStatus } from '../changes/compare.ts'
import type { History, Look, PageKey, Sighting } from '../changes/history.ts'
import type { TextDiff } from '@harvestman/diff'
import { EngineError } from '@harvestman/ports'
import { compilePatterns, isPatternProblem } from '@harvestman/json-schema'
import { llmPort } from '../plugin/core-ports.ts'
import { defineFormat } from '../plugin/define.ts'
import type { DeriveContext } from '../plugin/field.ts'
import { definePort } from '../plugin/port.ts'
import type { ScrapeRequest } from '../schema/scrape.ts'
import { jsonSchema } from '../schema/json-schema.ts'
import { selector } from '../schema/selector.ts'
import { markdown } from './markdown.ts'
import { pageTexts } from './readings.ts'

/** Port of the history of pages. Every engine has one, in its store. */
export const historyPort = definePort<History>({
  name: 'history',
  description: 'a history of pages',
  remedy: 'Every engine has one.',
})

/** Changes of a page since its previous scrape. Property names as in the public API. */
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
    .meta({ title: 'Selectors', description: 'Elements whose text is ignored.' })
    .default([]),
  patterns: z
    .array(z.string())
    .max(100)
    .meta({ title: 'Patterns', description: 'Ignores lines that match a pattern.' })
    .default([]),
})

const options = z.object({
  modes: z
    .array(z.enum(['git-diff', 'json']))
    .max(2)
    .meta({
      title: 'Modes',
      description: 'How to show changes: as a text diff (`git-diff`), or by the fields of a schema (`json`).',
    })
    .default([]),
  schema: jsonSchema.meta({ title: 'Schema', description: 'The fields to compare.' }).optional(),
  prompt: z
    .string()
    .max(10_000)
    .meta({ title: 'Prompt', description: 'Which changes to look for, in plain language.' })
    .optional(),
  tag: z
    .string()
    .max(200)
    .nullable()
    .meta({ title: 'Tag', description: 'Compares the page with its history under this tag.' })
    .default(null),
  ignore: ignore
    .meta({ title: 'Ignore', description: 'What to ignore, such as the current date.' })
    .default({ selectors: [], patterns: [] }),
})

type Options = z.output<typeof options>

/** The format `changeTracking`: compares a page with its previous version, and stores the new one. */
export const changeTracking = defineFormat({
  type: 'changeTracking',
  options,
  optionsUnder: 'changeTrackingOptions',
  requires: { history: historyPort },
  uses: { llm: llmPort },
  requiresFor: ({ modes }) => (modes.includes('json') ? [llmPort] : []),
  follows: ({ tag }) => tag,
  minTimeout: 60_000,
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
    .describe('The changes of the page since its previous scrape.'),
  redacts: true,
  needs: { markdown, pageTexts },
  derive: async ({ markdown, pageTexts }, context): Promise<ChangeTracking | undefined> => {
    const { options, page, request, team, warn } = context
    if (request.zeroDataRetention) {
      warn('Change tracking is not supported with zero data retention.')
      return undefined
    }
    if (!isComparable(page.status)) {
      warn(`The page responded with status ${page.status}, so it was not compared.`)
      return undefined
    }
    const sighting = sightingOf(markdown, pageTexts, page.status, options)
    const look = await lookAt(keyOf(team, request, options), sighting, context)
    if (!look) return undefined
    const changeStatus = changeStatusOf(page.status, look)
    return {
      previousScrapeAt: look.before ? new Date(look.before.seen).toISOString() : null,
      changeStatus,
      visibility: page.isUnlinked ? 'hidden' : 'visible',
      ...(changeStatus === 'changed' && (await details(look, markdown, context))),
    }
  },
  keep: async (_, { options, needs, page, request, ports, team, task }) => {
    const sighting = sightingOf(needs.markdown, needs.pageTexts, page.status, options)
    await ports.history.keep(keyOf(team, request, options), sighting, task)
  },
  credits: ({ modes }) => (modes.includes('json') ? tariff.modelFormat : 0),
})

/** Returns the key of the history. Redacted versions have a separate one, so that no diff contains unredacted text. */
function keyOf(team: string, { url, redactPII }: ScrapeRequest, { tag }: Options): PageKey {
  return { team, url, tag: redactPII ? `${tag ?? ''}#${JSON.stringify(redactPII)}` : tag }
}

function checkOptions({ ignore: { patterns } }: Options): string | undefined {
  const compiled = compilePatterns(patterns)
  return isPatternProblem(compiled) ? `has an ignore.patterns that ${compiled.problem}` : undefined
}

function sightingOf(
  markdown: string,
  hidden: readonly string[],
  status: number,
  { ignore: { patterns } }: Options,
): Sighting {
  return { markdown, hidden, isRemoved: isRemoved(status), patterns }
}

/** Looks up the previous version. Adds a warning and returns `undefined` if the comparison fails. */
async function lookAt(
  key: PageKey,
  sighting: Sighting,
  { options: { modes }, ports: { history }, task, signal, warn }: Context,
): Promise<Look | undefined> {
  try {
    return await history.look(key, sighting, modes.includes('json') ? ['diff', 'previous'] : modes.map(() => 'diff'), {
      task,
      signal,
    })
  } catch (error) {
    signal.throwIfAborted()
    const isTooMuch = EngineError.is(error) && error.code === 'page_too_complex'
    warn(isTooMuch ? error.message : 'Comparing failed, please try again later.')
    return undefined
  }
}

type Context = DeriveContext<Options, { history: typeof historyPort }, { llm: typeof llmPort }>

async function details(
  { diff, previous = '' }: Look,
  current: string,
  { options: { modes, schema, prompt }, page, ports: { llm }, signal, use, warn }: Context,
): Promise<Pick<ChangeTracking, 'diff' | 'json'>> {
  const versions: TwoVersions = { url: page.url, previous, current, diff: diff?.text ?? '' }
  const ask = async (): Promise<FieldChanges | undefined> => {
    if (!llm || !modes.includes('json')) return undefined
    const llmContext = { llm, signal, use, warn }
    const { changesInWords, changesOfFields } = await import('@harvestman/asking')
    try {
      return await (schema
        ? changesOfFields(llmContext, versions, schema, prompt)
        : changesInWords(llmContext, versions, prompt))
    } catch (error) {
      signal.throwIfAborted()
      if (!EngineError.is(error)) throw error
      warn('Structured diff generation failed.')
      return undefined
    }
  }
  const json = await ask()
  return { ...(modes.includes('git-diff') && diff && { diff }), ...(json && { json }) }
}
