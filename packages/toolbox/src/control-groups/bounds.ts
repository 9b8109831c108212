// Kernel settings of a control group, by version of the hierarchy and by kind of limit.

/** Limits for all processes of a group together. */
export interface GroupLimits {
  /** Bytes, for all kinds of memory together. */
  readonly memory: number
  /** Maximum number of processes. Threads count as processes. */
  readonly processes: number
  /** Number of processors used at once, fractions allowed. Unlimited when absent. */
  readonly processors?: number | undefined
}

/** A file of a control group and the value to write to it. */
export interface Setting {
  readonly file: string
  readonly value: string
  /** A kernel without this file enforces the limit all the same, so a missing file is no error. */
  readonly isOptional?: boolean
}

/** A kind of limit that the kernel enforces. */
export interface Controller {
  readonly name: string
  settings(version: 1 | 2, limits: GroupLimits): readonly Setting[]
}

// In version 1, TCP buffers have a limit of their own, separate from all other memory.
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
        // Newer kernels include kernel memory in the limit above.
        { file: 'memory.kmem.limit_in_bytes', value: rest, isOptional: true },
        { file: 'memory.kmem.tcp.limit_in_bytes', value: String(buffers) },
      ]
}

/** The controllers whose limits are used. */
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

/** Files in which the kernel counts the processes of the group that it has killed for exceeding the memory limit. */
export const overrunFiles = { 1: 'memory.oom_control', 2: 'memory.events' } as const
