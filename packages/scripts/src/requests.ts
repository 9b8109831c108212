// Request schemas of scripts.
import { profileOption } from '@harvestman/core/plugin'
import { z } from 'zod'

import { namedScript } from './script/results.ts'
import { bounds, scriptName, valuesSchema } from './script/schema.ts'

const session = z.string().min(1).max(200).meta({ title: 'Session', description: 'The id of an open live browser.' })

/** Options for starting a recording. */
export const recordingSchema = z.strictObject({ session })

/** A new script: the recording of a session, or the script itself. */
export const newScriptSchema = z
  .strictObject({
    name: scriptName,
    session: session.optional(),
    parameters: valuesSchema
      .meta({
        title: 'Parameters',
        description: 'Values typed while recording, by the parameter that replaces them: `{ "city": "Oslo" }`.',
      })
      .default({}),
    secrets: z
      .array(z.string().max(64))
      .max(bounds.parameters)
      .meta({
        title: 'Secrets',
        description: 'Names of secret parameters. Values of password fields are always secret.',
        secret: true,
      })
      .default([]),
    script: namedScript.optional(),
  })
  .refine(({ session: from, script }) => (from === undefined) !== (script === undefined), {
    message: 'Give either "session", to end its recording, or "script".',
  })

/** The version to return. */
export const versionOfScript = z.object({
  version: z.int().min(1).optional().describe('Default: the newest version.'),
})

/** A new script. */
export type NewScript = z.input<typeof newScriptSchema>

/** Options of a run. */
export const runScriptSchema = z
  .strictObject({
    parameters: valuesSchema.default({}),
    session: session
      .meta({
        title: 'Session',
        description: 'The live browser to run in. Default: a new one, which is closed at the end.',
      })
      .optional(),
    version: z
      .int()
      .min(1)
      .meta({ title: 'Version', description: 'A version of the script. Default: the newest.' })
      .optional(),
    repair: z
      .boolean()
      .meta({
        title: 'Repair',
        description: 'Repairs a step whose element is no longer found, from similar elements.',
        whenFalse: 'Ends the run at a step whose element is no longer found, instead of repairing it.',
      })
      .default(true),
    timeout: z
      .int()
      .min(1_000)
      .max(300_000)
      .meta({ title: 'Timeout', description: 'How long the run may take.', unit: 'ms' })
      .default(60_000),
    stepTimeout: z
      .int()
      .min(0)
      .max(30_000)
      .meta({
        title: 'Step timeout',
        description: 'Maximum time to wait for an element, or for the outcome of a step.',
        unit: 'ms',
      })
      .default(5_000),
    profile: profileOption,
  })
  .refine(({ session: from, profile }) => from === undefined || profile === undefined, {
    message: 'Give either "session", whose browser has its own profile, or "profile".',
  })

/** Options of a run. */
export type RunScript = z.input<typeof runScriptSchema>
