import type { MakeSessions, Sandbox } from '@harvestman/ports'
import { z } from 'zod'

const count = (usual: number, title: string, description: string) =>
  z.int().min(1).max(100_000).meta({ title, description }).default(usual)

/** The limits for live browsers. */
export const liveLimitsSchema = z.strictObject({
  sessions: count(
    16,
    'Live browsers at once',
    'Live browsers that may be open at once. A quarter more is reserved for teams that have none.',
  ),
  teamSessions: count(8, 'Live browsers at once for a team', 'Live browsers that one team may have open at once.'),
})

/** Returns a schema that accepts `undefined` and values that pass the check, and otherwise fails with the message. */
function thing<Given>(has: (given: unknown) => boolean, message: string) {
  return z.custom<Given>((given) => given === undefined || has(given), { error: message })
}

function hasMethods(value: unknown, ...names: readonly string[]): boolean {
  return names.every((name) => typeof (value as Record<string, unknown> | null)?.[name] === 'function')
}

/** The options of `live`. */
export const liveOptionsSchema = z.strictObject({
  /** Opens live browsers. If omitted, live browsers are disabled. */
  sessions: thing<MakeSessions | undefined>(
    (given) => typeof given === 'function',
    'must be a function: it receives the address guard and opens live browsers',
  )
    .meta({ title: 'Live browsers', description: 'Opens live browsers. Without it, live browsers are off.' })
    .optional(),
  /** Runs the code of callers in live browsers. If omitted, code is rejected. */
  sandbox: thing<Sandbox | undefined>((given) => hasMethods(given, 'open', 'close'), 'must be a sandbox')
    .meta({ title: 'Sandbox', description: 'Runs the code of callers in live browsers. Without it, code is refused.' })
    .optional(),
  /** Whether a script provides WebMCP to pages if Chromium does not. Default: true. */
  pageTools: z
    .boolean()
    .meta({
      title: 'Tools of pages',
      description:
        'Whether a script provides `document.modelContext` to pages, so that they can declare tools. Pages can see it.',
    })
    .default(true),
  /** The limits for live browsers. */
  limits: liveLimitsSchema.prefault({}),
})

/** The options of `live`. */
export type LiveOptions = Readonly<z.input<typeof liveOptionsSchema>>

/** The validated options, with defaults. */
export type GivenOptions = z.output<typeof liveOptionsSchema>
