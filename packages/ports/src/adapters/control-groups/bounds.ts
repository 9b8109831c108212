// Settings of a group for the kernel, by the version of its tree and by the kind of bound.

/** Limits of all processes of a group together. */
export interface GroupLimits {
  /** Bytes, whatever kind of memory it is. */
  readonly memory: number
  /** Threads count as processes do. */
  readonly processes: number
  /** Number of processors used at once, fractions allowed. All when absent. */
  readonly processors?: number | undefined
}

export interface Setting {
  readonly file: string
  readonly value: string
  /** Without it the bound is the same, on a kernel that has no such file. */
  readonly isOptional?: boolean
}

export interface Controller {
  readonly name: string
  settings(version: 1 | 2, limits: GroupLimits): readonly Setting[]
}

// Buffers of TCP have a bound of their own in the first version, beside that of all else.
const shareOfBuffers = 1 / 16
const period = 100_000

function memory(version: 1 | 2, { memory: all }: GroupLimits): readonly Setting[] {
  const buffers = Math.floor(all * shareOfBuffers)
  const rest = String(all - buffers)
  return version === 2
    ? [
        { file: 'memory.max', value: String(all) },
        { file: 'memory.swap.max', value: '0', isOptional: true },
      ]
    : [
        { file: 'memory.limit_in_bytes', value: rest },
        { file: 'memory.memsw.limit_in_bytes', value: rest, isOptional: true },
        // Newer kernels count their own memory with the rest.
        { file: 'memory.kmem.limit_in_bytes', value: rest, isOptional: true },
        { file: 'memory.kmem.tcp.limit_in_bytes', value: String(buffers) },
      ]
}

export const controllers: readonly Controller[] = [
  { name: 'memory', settings: memory },
  {
    name: 'pids',
    settings: (_version, { processes }) => [{ file: 'pids.max', value: String(processes) }],
  },
  {
    name: 'cpu',
    settings: (version, { processors }) => {
      if (processors === undefined) return []
      const quota = String(Math.round(processors * period))
      return version === 2
        ? [{ file: 'cpu.max', value: `${quota} ${period}` }]
        : [
            { file: 'cpu.cfs_period_us', value: String(period) },
            { file: 'cpu.cfs_quota_us', value: quota },
          ]
    },
  },
]

/** Files in which the kernel counts the processes of the group that it has ended for their memory. */
export const overrunFiles = { 1: 'memory.oom_control', 2: 'memory.events' } as const
