// Files that packages beside core read, for the message of an engine that was not given them.
const packages: readonly (readonly [types: RegExp, remedy: string])[] = [
  [/^application\/(?:x-)?pdf$/, 'Add the plugin pdf() of @harvestman/pdf to read it'],
  [
    /^application\/(?:vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-(?:excel|word|powerpoint))|msword|(?:x-)?rtf|epub\+zip|x-cfb)|^text\/rtf/,
    'Add the plugin documents() of @harvestman/documents to read it',
  ],
]

/** Remedy for an engine that does not read files of this type: what to add to it. */
export function remedyFor(type: string): string {
  return packages.find(([types]) => types.test(type))?.[1] ?? 'Add a plugin with a parser for it'
}
