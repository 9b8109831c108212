// Files of the sandbox in the pages of the session, and the other way round. The browser runs elsewhere, so Playwright's own
// ways, which name files by path, do not reach it.
import fs from 'node:fs'
import os from 'node:os'
import { basename, dirname, extname, join } from 'node:path'

const types = {
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.html': 'text/html',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.txt': 'text/plain',
  '.webp': 'image/webp',
  '.xml': 'application/xml',
  '.zip': 'application/zip',
}

/** Replaces paths by the contents of the files. */
function contentsOf(files) {
  const one = (file) =>
    typeof file === 'string'
      ? {
          name: basename(file),
          mimeType: types[extname(file).toLowerCase()] ?? 'application/octet-stream',
          buffer: fs.readFileSync(file),
        }
      : file
  return Array.isArray(files) ? files.map(one) : one(files)
}

function replace(object, name, make) {
  const prototype = Object.getPrototypeOf(object)
  const original = prototype[name]
  if (!original.isOurs) prototype[name] = Object.assign(make(original), { isOurs: true })
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const beginsWithin = 5_000

const uploads = (original) =>
  function (files, options) {
    return original.call(this, contentsOf(files), options)
  }

const patchElement = (element) => element && replace(element, 'setInputFiles', uploads)

/**
 * Prepares the classes of Playwright. It has no way to a class but an object of it, and no page is asked for one here: a page
 * that shows nothing yet may not answer.
 */
function patchUploads(page) {
  const frame = page.mainFrame()
  replace(
    frame,
    'setInputFiles',
    (original) =>
      function (selector, files, options) {
        return original.call(this, selector, contentsOf(files), options)
      },
  )
  for (const name of ['$', 'waitForSelector'])
    replace(
      frame,
      name,
      (original) =>
        async function (...args) {
          const element = await original.apply(this, args)
          patchElement(element)
          return element
        },
    )
  replace(
    page,
    'emit',
    (original) =>
      function (event, ...args) {
        if (event === 'filechooser') patchElement(args[0].element())
        return original.call(this, event, ...args)
      },
  )
}

/** Lets downloads and uploads of all contexts of a browser work with files of the sandbox. */
export async function connectFiles(browser, page) {
  patchUploads(page)
  const cdp = await browser.newBrowserCDPSession()
  const begun = []
  cdp.on('Browser.downloadWillBegin', (event) => begun.push(event))
  const allow = (browserContextId) =>
    cdp.send('Browser.setDownloadBehavior', { behavior: 'allowAndName', eventsEnabled: true, browserContextId })
  await allow().catch(() => undefined)
  const guids = new WeakMap()
  const follow = (context) => {
    const meet = (one) => one.on('download', (download) => connectDownload(cdp, guids, begun, download))
    context.pages().forEach(meet)
    context.on('page', meet)
  }
  browser.contexts().forEach(follow)
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (...options) => {
    const context = await newContext(...options)
    follow(context)
    return context
  }
}

function connectDownload(cdp, guids, begun, download) {
  const [url, name] = [download.url(), download.suggestedFilename()]
  const guidOf = async () => {
    for (const end = Date.now() + beginsWithin; !guids.has(download);) {
      const index = begun.findIndex((event) => event.url === url && event.suggestedFilename === name)
      if (index >= 0) guids.set(download, begun.splice(index, 1)[0].guid)
      else if (Date.now() > end) throw new Error(`The download of ${name} was not reported.`)
      else await pause(20)
    }
    return guids.get(download)
  }
  const guid = guidOf()
  guid.catch(() => undefined)
  const saveAs = async (path) => {
    const handle = `download:${await guid}`
    fs.mkdirSync(dirname(path), { recursive: true })
    const file = fs.openSync(path, 'w')
    try {
      for (let offset = 0; ;) {
        const { data, eof } = await readWhenEnded(cdp, { handle, offset })
        const bytes = Buffer.from(data, 'base64')
        fs.writeSync(file, bytes)
        offset += bytes.length
        if (eof) return
      }
    } finally {
      fs.closeSync(file)
    }
  }
  const path = async () => {
    const where = join(os.tmpdir(), 'downloads', await guid)
    if (!fs.existsSync(where)) await saveAs(where)
    return where
  }
  Object.assign(download, {
    saveAs,
    path,
    createReadStream: async () => fs.createReadStream(await path()),
    delete: async () => void (await cdp.send('IO.close', { handle: `download:${await guid}` })),
  })
}

/** The time of the call bounds how long a download may take. */
async function readWhenEnded(cdp, question) {
  for (;;) {
    try {
      return await cdp.send('IO.read', question)
    } catch (error) {
      if (!String(error).includes('has not ended')) throw error
      await pause(100)
    }
  }
}
