const prefix = 'own/'

/** Returns the name in the store of a kind of jobs that a feature defines for its own work. */
export function internalKind(name: string): string {
  return prefix + name
}

/** Returns whether jobs of a kind are the work of a feature. They are in no list of jobs, and have no price and no webhook. */
export function isInternal(kind: string): boolean {
  return kind.startsWith(prefix)
}

/** Returns the kind of the queue tasks for jobs of an internal kind. */
export function tasksOfInternal(kind: string): string {
  return `job-${kind.slice(prefix.length)}`
}
