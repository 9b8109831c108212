import type { NamedFile } from './check-names.ts'

/** Files that may use `mkdir` with `recursive`, and why. */
const exceptions: Readonly<Record<string, string>> = {
  'packages/create-harvestman/src/create.ts': 'it depends on no package, and its user can stop it',
}

const creates = /\bmkdir(?:Sync)?\((?:(?!\b(?:mkdir|rm)(?:Sync)?\()[^;])*?\brecursive: true/g

/**
 * Finds calls of `mkdir` with `recursive`, one sentence each. In Node such a call never returns if a folder that exists refuses
 * new entries as missing, as `/proc` does.
 */
export function findRecursiveFolders(files: readonly NamedFile[]): string[] {
  return files
    .filter(({ file }) => !(file in exceptions))
    .flatMap(({ file, text }) =>
      [...text.matchAll(creates)].map(
        ({ index }) =>
          `${file}:${text.slice(0, index).split('\n').length} creates a folder with \`recursive\`, which may never return: use makeFolder of @harvestman/toolbox/make-folder.`,
      ),
    )
}
