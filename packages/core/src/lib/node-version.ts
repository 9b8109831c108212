// Imported before anything else, so that on an old Node it is we who say so, and not the first library that misses something.
const oldest = [22, 19] as const

// Absent in runtimes that are not Node.
const node = (process.versions as { readonly node?: string }).node ?? ''
const [major = 0, minor = 0] = node.split('.').map(Number)

if (node !== '' && (major < oldest[0] || (major === oldest[0] && minor < oldest[1]))) {
  throw new Error(`Harvestman needs Node ${oldest.join('.')} or newer, and this is Node ${node}. Install a newer one.`)
}
