// Tracks the secrets that tasks fill in during a recording.

import type { ScriptBrowser, TaskSecret } from '../browsers.ts'
import type { Act } from './acts.ts'

/** The secrets that tasks filled in. */
export interface TaskSecrets {
  /** Returns the secret being filled in now, or the one with this value. */
  find(value: Act['value']): TaskSecret | undefined
  /** The values by name. */
  values(): Readonly<Record<string, string>>
  stop(): void
}

/**
 * Creates the list of the secrets of tasks in a session, until `stop`. `find` returns the secret being filled in, or else the
 * one with this value; `undefined` if there is none. `values` returns all so far by name.
 */
export function watchTaskSecrets(session: Pick<ScriptBrowser, 'watchSecrets'>): TaskSecrets {
  const known = new Map<string, TaskSecret>()
  let current: TaskSecret | undefined
  const stop = session.watchSecrets((secret) => {
    current = secret
    if (secret) known.set(secret.name, secret)
  })
  return {
    // Also compares values, because the page may report a value after the step has ended.
    find: (value) => current ?? [...known.values()].find((one) => one.value !== '' && one.value === value),
    values: () => Object.fromEntries([...known.values()].map((one) => [one.name, one.value])),
    stop,
  }
}
