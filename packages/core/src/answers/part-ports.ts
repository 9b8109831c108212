// Ports of a plugin's kind of job.
import type { JobPart, RequiredPort } from '../plugin/job.ts'
import { missingPort } from '../plugin/missing-port.ts'

/** Returns the services of a part's ports, under the names that the part chose; `undefined` for a missing port. */
export function servicesFor(
  { requires, uses }: Pick<JobPart, 'requires' | 'uses'>,
  ports: ReadonlyMap<string, unknown>,
): Readonly<Record<string, unknown>> {
  const named = Object.entries({ ...uses, ...requires })
  return Object.fromEntries(named.map(([key, { name }]) => [key, ports.get(name)]))
}

/**
 * Throws `not_configured` if a request needs a port that is missing. Checked before a job starts, and again in every engine
 * that continues it.
 */
export function requirePorts(
  { title, requires, requiresFor }: JobPart,
  request: unknown,
  ports: ReadonlyMap<string, unknown>,
): void {
  const because = `${title.slice(0, 1).toUpperCase()}${title.slice(1)}`
  const always = Object.values(requires).map((port): RequiredPort => ({ port, because }))
  const missing = [...always, ...requiresFor(request)].find(({ port: { name } }) => !ports.has(name))
  if (!missing) return
  throw missingPort(missing.port, missing.because, { or: missing.or })
}
