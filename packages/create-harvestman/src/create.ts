// Copies the files of a template to a folder.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Template } from './templates.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The project to create. */
export interface Project {
  readonly template: Template
  readonly folder: string
}

/** An error that the user can fix. The message states the problem and the remedy. */
export class UsageError extends Error {}

/**
 * Creates the project, and its folder if it is missing. Throws a `UsageError` if the folder contains anything but `.git` or
 * cannot be read, and the error of the file system if a file cannot be written.
 */
export function createProject({ template, folder }: Project): void {
  refuseFull(folder)
  const values = { name: packageName(folder), key: randomBytes(24).toString('base64url') }
  for (const source of ['shared', template.name]) {
    const from = join(root, 'templates', source)
    for (const file of filesIn(from)) {
      const to = join(folder, file.replace(/(^|[\\/])_(?=\w+$)/, '$1.'))
      mkdirSync(dirname(to), { recursive: true })
      writeFileSync(to, fill(readFileSync(join(from, file), 'utf8'), values))
    }
  }
}

function refuseFull(folder: string): void {
  let names: readonly string[]
  try {
    names = readdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return
    throw new UsageError(`${folder} ${code === 'ENOTDIR' ? 'is a file' : 'cannot be read'}. Name another folder.`)
  }
  // A clone of an empty repository contains only `.git`.
  if (names.some((name) => name !== '.git')) throw new UsageError(`${folder} is not empty. Name another folder.`)
}

function filesIn(folder: string): readonly string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
  return found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name).slice(folder.length + 1))
}

/** Fills in the name, the key and the versions of our packages, which all have the version of this one. */
function fill(text: string, { name, key }: { readonly name: string; readonly key: string }): string {
  return text.replaceAll('{{name}}', name).replaceAll('{{key}}', key).replaceAll('"workspace:*"', `"^${ownVersion()}"`)
}

/**
 * Returns a valid npm package name of at most 100 characters, derived from the name of the folder; `my-project` if it has no
 * valid characters.
 */
export function packageName(folder: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replaceAll(/[^a-z\d.~-]+/g, '-')
    .replaceAll(/^[^a-z\d]+|-+$/g, '')
    .slice(0, 100)
  return name === '' ? 'my-project' : name
}

/** Returns the version of this package. */
export function ownVersion(): string {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
  return manifest.version
}
