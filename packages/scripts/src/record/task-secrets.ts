// The secrets that tasks fill in while a session is recorded.
import type { LiveSession, Secret } from '@harvestman/live'

import type { Act } from './acts.ts'

/** The secrets that tasks have filled in. */
export interface TaskSecrets {
  /** Returns the secret that is filled in now, or whose value was heard. */
  find(value: Act['value']): Secret | undefined
  /** The values by name. */
  values(): Readonly<Record<string, string>>
  stop(): void
}

/** Follows the secrets of the tasks of a session. */
export function watchTaskSecrets(session: Pick<LiveSession, 'watchSecrets'>): TaskSecrets {
  const known = new Map<string, Secret>()
  let current: Secret | undefined
  const stop = session.watchSecrets((secret) => {
    current = secret
    if (secret) known.set(secret.name, secret)
  })
  return {
    // What the page reports may arrive after the step.
    find: (value) => current ?? [...known.values()].find((one) => one.value !== '' && one.value === value),
    values: () => Object.fromEntries([...known.values()].map((one) => [one.name, one.value])),
    stop,
  }
}
