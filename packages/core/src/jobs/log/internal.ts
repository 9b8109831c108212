const prefix = 'own/'

/** Returns the name in the store of a kind of jobs that a feature defines for its own work. */
export function internalKind(name: string): string {
  return prefix + name
}

/** Returns whether jobs of a kind are the work of a feature. They are in no list of jobs, and have no price and no webhook. */
export function isInternal(kind: string): boolean {
  return kind.startsWith(prefix)
}

/**
 * Returns the kind of the queue tasks for jobs of a kind. Work of features has separate tasks, because it waits for other jobs,
 * which could not start if it had all slots.
 */
export function taskKindOf(kind: string): string {
  return isInternal(kind) ? `job-${kind.slice(prefix.length)}` : 'job'
}
