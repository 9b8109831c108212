// Command line that resumes a stopped job, with the same output and the same store.
type Flags = Readonly<Record<string, unknown>>

// Flags that locate a job.
const ofPlace = { store: '--store', config: '--config', server: '--server' }
// Request options are stored with the job; flags about network access and output are not.
const ofShowing = {
  json: '--json',
  full: '--full',
  output: '--output',
  out: '--out',
  report: '--report',
  fail: '--fail',
  allowPrivate: '--allow-private',
}

/** Returns the command line that resumes a job with the same flags. */
export const goOnCommand = (name: string, id: string, flags: object): string =>
  ['harvestman', name, '--resume', id, ...written(flags, { ...ofShowing, ...ofPlace })].join(' ')

/** Returns the command line that cancels a job in the same store or on the same server. */
export const cancelCommand = (id: string, flags: object): string =>
  ['harvestman', 'cancel', id, ...written(flags, ofPlace)].join(' ')

function written(flags: object, names: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(names).flatMap(([key, name]) => {
    const value = (flags as Flags)[key]
    if (value === true) return [name]
    return typeof value === 'string' ? [name, quoted(value)] : []
  })
}

/** Quotes a string for a shell if needed. */
const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
