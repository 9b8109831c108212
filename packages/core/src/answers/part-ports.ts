// The ports of a kind that a plugin brings.
import type { JobPart, RequiredPort } from '../plugin/job.ts'
import { missingPort } from '../plugin/missing-port.ts'

/** Services of the ports of a part, by the names that it chose for them. */
export function servicesFor(
  { requires, uses }: Pick<JobPart, 'requires' | 'uses'>,
  ports: ReadonlyMap<string, unknown>,
): Readonly<Record<string, unknown>> {
  const named = Object.entries({ ...uses, ...requires })
  return Object.fromEntries(named.map(([key, { name }]) => [key, ports.get(name)]))
}

/** Refuses a request whose ports are missing, before anything is begun and again where it goes on in another engine. */
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
