/**
 * What to do instead of a rejected command, by method or else by domain. Commands in neither this list nor `protocol.ts` get
 * the default sentence.
 */
const remedies: Readonly<Record<string, string>> = {
  'DOM.setFileInputFiles':
    'A path would name a file of the server. Send the contents: setInputFiles({ name, mimeType, buffer }) in Playwright, a File in a DataTransfer in Puppeteer.',
  'Page.setDownloadBehavior': 'Use Browser.setDownloadBehavior, and read the files with IO.read.',
  'Network.setRequestInterception': 'Use Fetch.enable, which replaced it.',
  'Network.continueInterceptedRequest': 'Use Fetch.continueRequest, which replaced it.',
  'Network.takeResponseBodyForInterceptionAsStream': 'Use Fetch.takeResponseBodyAsStream.',
  'Network.loadNetworkResource': 'Use fetch() in the page.',
  'Security.setIgnoreCertificateErrors': 'Set skipTlsVerification when you open the session.',
  'Security.setOverrideCertificateErrors': 'Set skipTlsVerification when you open the session.',
  'Browser.grantPermissions': 'Pages get the location of the session and no other permission.',
  'Browser.setPermission': 'Pages get the location of the session and no other permission.',
  'Browser.resetPermissions': 'Pages get the location of the session and no other permission.',
  'Browser.close': 'End the session instead (DELETE /v2/browser/{id}), or disconnect.',
  'Browser.setWindowBounds': 'Use Emulation.setDeviceMetricsOverride.',
  'Browser.getWindowForTarget': 'Use Emulation.setDeviceMetricsOverride: tabs have no window.',
  'Page.captureSnapshot': 'Use Page.printToPDF, or scrape the URL with the format rawHtml.',
  'Target.sendMessageToTarget': 'Attach with flatten: true, and send with the sessionId.',
  'Storage.clearDataForOrigin': 'Clear the storage with a script in the page, or open a context of your own.',
  'Storage.getUsageAndQuota': 'Use navigator.storage.estimate() in the page.',
  'IO.resolveBlob': 'Read the blob with a script in the page.',
  Tracing: 'Use Performance.getMetrics, or the Performance API in the page.',
  Profiler: 'Use Performance.getMetrics, or the Performance API in the page.',
  HeapProfiler: 'Use Performance.getMetrics, or the Performance API in the page.',
  Memory: 'Use Performance.getMetrics.',
  Debugger: 'A stopped page would hold the session up. Use Runtime.evaluate.',
  DOMStorage: 'Read and write localStorage and sessionStorage with a script in the page.',
  IndexedDB: 'Use indexedDB with a script in the page.',
  CacheStorage: 'Use caches with a script in the page.',
  FileSystem: 'Use navigator.storage.getDirectory() in the page.',
  ServiceWorker: 'Use navigator.serviceWorker in the page.',
  SystemInfo: 'It describes the server.',
  Extensions: 'A session has no extensions.',
  WebAuthn: 'Passkeys are not emulated. Sign in another way, or continue from a profile that is signed in.',
  FedCm: 'Sign in on the page of the provider.',
  Target: 'A client has the tabs and contexts of its own session.',
  Browser: 'It acts on the whole browser. A client has the tabs and contexts of its own session.',
}

const otherwise = 'The commands that a client may send are listed in the docs (Live browsers, DevTools protocol).'

/** Returns a sentence on what to do instead of a rejected command. There is a general one for unknown commands. */
export function remedyFor(method: string): string {
  const [domain = ''] = method.split('.')
  const found = [method, domain].find((name) => Object.hasOwn(remedies, name))
  return found === undefined ? otherwise : (remedies[found] ?? otherwise)
}
