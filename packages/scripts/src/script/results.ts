// Schemas of the results of script endpoints.
import type { Immutable } from '@harvestman/core/plugin'
import { z } from 'zod'

import { scriptSchema, targetSchema } from './schema.ts'

/** A script, with its name in descriptions. */
export const namedScript = scriptSchema.meta({
  id: 'Script',
  title: 'Script',
  description: 'A script: data that can be read and edited.',
})

const about = {
  name: z.string(),
  version: z.int().describe('The number of the version, from 1.'),
  origin: z.enum(['recorded', 'edited', 'repaired']),
  changedAt: z.number().describe('Milliseconds since 1970.'),
}

const { start, parameters } = scriptSchema.shape

/** A version of a script without its steps. */
export const versionSchema = z
  .object({ ...about, start, parameters, steps: z.int() })
  .meta({ id: 'ScriptVersion', description: 'A version of a script: its parameters, and the number of its steps.' })

/** A version of a script without its steps. */
export type ScriptVersion = Immutable<z.output<typeof versionSchema>>

/** A script with its steps. */
export const storedScriptSchema = z
  .object({ ...about, script: namedScript })
  .meta({ id: 'KeptScript', description: 'A script with its steps.' })

/** A script with its steps. */
export type KeptScript = Readonly<z.output<typeof storedScriptSchema>>

const target = targetSchema.meta({ id: 'ScriptTarget', description: 'An element, with several ways to find it.' })

const repair = {
  step: z.int().describe('The number of the step in the script, from 1.'),
  changes: z.array(z.string()),
  before: target,
  after: target,
}

/** The versions and repairs of a script. */
export const historySchema = z
  .object({
    versions: z.array(versionSchema),
    repairs: z.array(z.object({ ...repair, at: z.number(), version: z.int() })),
  })
  .meta({ id: 'ScriptHistory', description: 'The versions and repairs of a script, newest first.' })

/** The versions and repairs of a script. */
export type ScriptHistory = Immutable<z.output<typeof historySchema>>

/** The result of a completed run. */
export const runResultSchema = z
  .object({
    name: z.string(),
    version: z.int(),
    repairedTo: z.int().optional().describe('The version with the repairs of this run.'),
    url: z.string().describe('The URL of the page at the end.'),
    steps: z.array(
      z.object({
        step: z.int(),
        action: z.string(),
        outcome: z.enum(['done', 'already', 'repaired']),
        element: z.string().optional(),
        note: z.string().optional(),
        url: z.string(),
      }),
    ),
    repairs: z.array(z.object(repair)),
  })
  .meta({ id: 'ScriptRun', description: 'The result of a run.' })

/** The result of a completed run. */
export type ScriptRun = Immutable<z.output<typeof runResultSchema>>
