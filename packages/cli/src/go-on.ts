// What is typed to go on with work that was stopped: it ends where it would have ended, in the same store.
type Flags = Readonly<Record<string, unknown>>

// Where a job is found, for every command that names one.
const ofPlace = { store: '--store', config: '--config', server: '--server' }
// What is in the request is kept with the job; how its pages are loaded and where they go is not.
const ofShowing = {
  json: '--json',
  full: '--full',
  output: '--output',
  out: '--out',
  report: '--report',
  fail: '--fail',
  allowPrivate: '--allow-private',
}

export const goOnCommand = (name: string, id: string, flags: object): string =>
  ['harvestman', name, '--resume', id, ...written(flags, { ...ofShowing, ...ofPlace })].join(' ')

export const cancelCommand = (id: string, flags: object): string =>
  ['harvestman', 'cancel', id, ...written(flags, ofPlace)].join(' ')

function written(flags: object, names: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(names).flatMap(([key, name]) => {
    const value = (flags as Flags)[key]
    if (value === true) return [name]
    return typeof value === 'string' ? [name, quoted(value)] : []
  })
}

/** For a shell, where it is not one word. */
const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
