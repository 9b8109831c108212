// Imported first, so that an unsupported runtime is reported here rather than by the first library that lacks something.
const oldest = [22, 19] as const

/**
 * Returns why the runtime is unsupported, as Bun and Node before 22.19 are; `undefined` if it is supported. Deno reports a Node
 * version and is supported.
 */
export function whyUnfit(versions: Readonly<Record<string, string | undefined>>): string | undefined {
  const { node = '', bun } = versions
  if (bun !== undefined)
    return `Harvestman needs Node ${oldest.join('.')} or newer, or Deno. Bun replaces undici with its own HTTP client, which bypasses the address guard. Use node.`
  const [major = 0, minor = 0] = node.split('.').map(Number)
  if (node === '' || major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined
  return `Harvestman needs Node ${oldest.join('.')} or newer, and this is Node ${node}. Install a newer one.`
}

const unfit = whyUnfit(process.versions)
if (unfit !== undefined) throw new Error(unfit)
