import type { MakeSessions, Sandbox } from '@harvestman/ports'
import { z } from 'zod'

const count = (usual: number, title: string, description: string) =>
  z.int().min(1).max(100_000).meta({ title, description }).default(usual)

/** How many live browsers there may be. */
export const liveLimitsSchema = z.strictObject({
  sessions: count(
    16,
    'Live browsers at once',
    'Live browsers that are open at once. A quarter more may be opened by teams that have none.',
  ),
  teamSessions: count(8, 'Live browsers at once for a team', 'Live browsers that one team has open at once.'),
})

/** Something with these methods; what is given by mistake is refused with what to give. */
function thing<Given>(has: (given: unknown) => boolean, message: string) {
  return z.custom<Given>((given) => given === undefined || has(given), { error: message })
}

function hasMethods(value: unknown, ...names: readonly string[]): boolean {
  return names.every((name) => typeof (value as Record<string, unknown> | null)?.[name] === 'function')
}

/** What `live` is given. */
export const liveOptionsSchema = z.strictObject({
  /** Opens live browsers; without it there are none. */
  sessions: thing<MakeSessions | undefined>(
    (given) => typeof given === 'function',
    'must be a function: it makes live browsers with the guard it is given',
  )
    .meta({ title: 'Live browsers', description: 'Opens live browsers. Without it there are none.' })
    .optional(),
  /** Runs the code of callers in live browsers. Without it, code is refused. */
  sandbox: thing<Sandbox | undefined>((given) => hasMethods(given, 'open', 'close'), 'must be a sandbox')
    .meta({ title: 'Sandbox', description: 'Runs the code of callers in live browsers. Code is refused when absent.' })
    .optional(),
  /** How many there may be. */
  limits: liveLimitsSchema.prefault({}),
})

/** What `live` is given. */
export type LiveOptions = Readonly<z.input<typeof liveOptionsSchema>>

/** The same, checked and with its defaults. */
export type GivenOptions = z.output<typeof liveOptionsSchema>
