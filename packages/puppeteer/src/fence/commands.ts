// What clients of a live browser may say. Whatever is not here is refused.

export type Params = Readonly<Record<string, unknown>>

/** Gives the parameters that are passed on, or a sentence why none are. */
type Check = (params: Params) => Params | string

const asIs: Check = (params) => params

function names(domain: string, list: string): readonly (readonly [string, Check])[] {
  return list.split(' ').map((name) => [`${domain}.${name}`, asIs] as const)
}

const withoutFiles: Check = (params) => {
  const { files } = (params['data'] ?? {}) as { files?: unknown[] }
  return files && files.length > 0 ? 'Files of this machine cannot be dragged into a page.' : params
}

/** Commands for a page, a frame or a worker, beside those that draw. */
export const sessionCommands: ReadonlyMap<string, Check> = new Map([
  ...names(
    'Page',
    'enable disable reload getFrameTree getLayoutMetrics createIsolatedWorld addScriptToEvaluateOnNewDocument removeScriptToEvaluateOnNewDocument setLifecycleEventsEnabled setFontFamilies setFontSizes bringToFront stopLoading getNavigationHistory navigateToHistoryEntry resetNavigationHistory handleJavaScriptDialog stopScreencast screencastFrameAck setDocumentContent getResourceTree close setWebLifecycleState',
  ),
  ...names(
    'Runtime',
    'enable disable evaluate callFunctionOn releaseObject releaseObjectGroup getProperties addBinding removeBinding runIfWaitingForDebugger awaitPromise compileScript runScript globalLexicalScopeNames getIsolateId discardConsoleEntries getExceptionDetails queryObjects',
  ),
  ...names(
    'DOM',
    'enable disable getDocument describeNode resolveNode requestNode requestChildNodes querySelector querySelectorAll getBoxModel getContentQuads getNodeForLocation getFrameOwner getOuterHTML setOuterHTML getAttributes setAttributeValue setAttributesAsText removeAttribute setNodeValue setNodeName removeNode moveTo focus scrollIntoViewIfNeeded performSearch getSearchResults discardSearchResults pushNodesByBackendIdsToFrontend pushNodeByPathToFrontend getFlattenedDocument getRelayoutBoundary getNodeStackTraces',
  ),
  ...names('CSS', 'enable disable getComputedStyleForNode startRuleUsageTracking stopRuleUsageTracking'),
  ...names('DOMSnapshot', 'enable disable captureSnapshot'),
  ...names(
    'Input',
    'dispatchKeyEvent dispatchMouseEvent dispatchTouchEvent insertText imeSetComposition synthesizeScrollGesture synthesizeTapGesture synthesizePinchGesture setIgnoreInputEvents setInterceptDrags cancelDragging emulateTouchFromMouseEvent',
  ),
  ['Input.dispatchDragEvent', withoutFiles],
  ...names(
    'Emulation',
    'clearDeviceMetricsOverride setTouchEmulationEnabled setEmitTouchEventsForMouse setUserAgentOverride setLocaleOverride setTimezoneOverride setGeolocationOverride clearGeolocationOverride setEmulatedMedia setEmulatedVisionDeficiency setFocusEmulationEnabled setScriptExecutionDisabled setDefaultBackgroundColorOverride setIdleOverride clearIdleOverride setCPUThrottlingRate setPageScaleFactor resetPageScaleFactor setScrollbarsHidden setDocumentCookieDisabled setAutoDarkModeOverride canEmulate',
  ),
  ...names(
    'Accessibility',
    'enable disable getFullAXTree getPartialAXTree getRootAXNode getAXNodeAndAncestors getChildAXNodes queryAXTree',
  ),
  ...names(
    'Network',
    'enable disable setExtraHTTPHeaders setCacheDisabled setUserAgentOverride getCookies setCookie setCookies deleteCookies getResponseBody getRequestPostData emulateNetworkConditions setBlockedURLs getSecurityIsolationStatus',
  ),
  ...names('Performance', 'enable disable getMetrics'),
  ...names('Target', 'detachFromTarget getTargetInfo'),
])

/** Commands that clients send as a habit: they are told that all is well, and the browser hears nothing. */
export const answeredHere: ReadonlySet<string> = new Set([
  'Browser.setDownloadBehavior',
  'Log.enable',
  'Log.disable',
  'Audits.enable',
  'Audits.disable',
  'Inspector.enable',
  'Inspector.disable',
  'WebMCP.enable',
  'ServiceWorker.enable',
  'Security.enable',
  'Page.setInterceptFileChooserDialog',
  'Page.setBypassCSP',
])
