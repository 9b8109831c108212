// The changelog that people read: docs/changelog.md has a section for each version.

const fewestWords = 20

/** The section of a version, without its heading. A release cannot be cut without one. */
export function sectionOf(changelog: string, version: string): string {
  const found = changelog.split(/^## /m).find((section) => section.split('\n')[0]?.trim() === version)
  if (found === undefined) {
    throw new Error(`docs/changelog.md has no section "## ${version}". Write what this version brings to its users.`)
  }
  const text = found.slice(found.indexOf('\n')).trim()
  if (text.split(/\s+/).length < fewestWords)
    throw new Error(`docs/changelog.md says too little of ${version}. Write what this version brings to its users.`)
  return text
}
