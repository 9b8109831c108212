// The commands of the DevTools protocol that clients of a live browser may send, with their parameters. All others are
// rejected.
import type { Shape } from './shapes.ts'
import {
  fontFamilies,
  scriptFontFamilies,
  fontSizes,
  serializationOptions,
  callArgument,
  rect,
  touchPoint,
  userAgentMetadata,
  mediaFeature,
  color,
  cookiePartitionKey,
  cookieParam,
  blockPattern,
  viewport,
  dragData,
  screenOrientation,
  displayFeature,
  devicePosture,
  filterEntry,
  requestPattern,
  headerEntry,
  authChallengeResponse,
} from './protocol-types.ts'

type Commands = Readonly<Record<string, Shape>>

const nothing: Shape = {}

function domain(name: string, plain: string, shapes: Commands): Commands {
  const all = {
    ...Object.fromEntries(
      plain
        .split(' ')
        .filter(Boolean)
        .map((one) => [one, nothing]),
    ),
    ...shapes,
  }
  return Object.fromEntries(Object.entries(all).map(([command, shape]) => [`${name}.${command}`, shape]))
}

const response = {
  text: 'requestId responsePhrase binaryResponseHeaders',
  whole: 'responseCode',
  parts: { responseHeaders: [headerEntry] },
} as const satisfies Shape

// Domains whose events describe the page.
const observed: Commands = Object.fromEntries(
  'Log Audits Inspector Security ServiceWorker WebMCP'
    .split(' ')
    .flatMap((name) => [`${name}.enable`, `${name}.disable`].map((method) => [method, nothing])),
)

const ofStreams: Commands = { read: { text: 'handle', whole: 'offset size' }, close: { text: 'handle' } }

/** Commands for a page, frame or worker. */
export const sessionShapes: Commands = {
  ...domain(
    'Page',
    'disable getFrameTree getLayoutMetrics bringToFront stopLoading getNavigationHistory resetNavigationHistory stopScreencast getResourceTree close',
    {
      enable: { flag: 'enableFileChooserOpenedEvent' },
      reload: { flag: 'ignoreCache', text: 'scriptToEvaluateOnLoad loaderId' },
      createIsolatedWorld: { text: 'frameId worldName contentSecurityPolicy', flag: 'grantUniveralAccess' },
      addScriptToEvaluateOnNewDocument: { text: 'source worldName', flag: 'includeCommandLineAPI runImmediately' },
      removeScriptToEvaluateOnNewDocument: { text: 'identifier' },
      setLifecycleEventsEnabled: { flag: 'enabled' },
      setFontFamilies: { parts: { fontFamilies, forScripts: [scriptFontFamilies] } },
      setFontSizes: { parts: { fontSizes } },
      navigateToHistoryEntry: { whole: 'entryId' },
      handleJavaScriptDialog: { flag: 'accept', text: 'promptText' },
      printToPDF: {
        flag: 'landscape displayHeaderFooter printBackground preferCSSPageSize generateTaggedPDF generateDocumentOutline',
        number: 'scale paperWidth paperHeight marginTop marginBottom marginLeft marginRight',
        text: 'pageRanges headerTemplate footerTemplate transferMode',
      },
      startScreencast: {
        text: 'format',
        whole: 'quality maxWidth maxHeight everyNthFrame maxFramesInFlight',
        flag: 'sendLastFrame',
      },
      screencastFrameAck: { whole: 'sessionId' },
      setDocumentContent: { text: 'frameId html' },
      setInterceptFileChooserDialog: { flag: 'enabled cancel' },
      setBypassCSP: { flag: 'enabled' },
      setWebLifecycleState: { text: 'state' },
      captureScreenshot: {
        text: 'format',
        whole: 'quality',
        flag: 'fromSurface captureBeyondViewport optimizeForSpeed',
        parts: { clip: viewport },
      },
      navigate: { text: 'url referrer transitionType frameId referrerPolicy' },
    },
  ),
  ...domain('Runtime', 'enable disable runIfWaitingForDebugger getIsolateId discardConsoleEntries', {
    evaluate: {
      text: 'expression objectGroup uniqueContextId',
      flag: 'includeCommandLineAPI silent returnByValue generatePreview userGesture awaitPromise throwOnSideEffect disableBreaks replMode allowUnsafeEvalBlockedByCSP',
      whole: 'contextId',
      number: 'timeout',
      parts: { serializationOptions },
    },
    callFunctionOn: {
      text: 'functionDeclaration objectId objectGroup uniqueContextId',
      flag: 'silent returnByValue generatePreview userGesture awaitPromise throwOnSideEffect',
      whole: 'executionContextId',
      parts: { arguments: [callArgument], serializationOptions },
    },
    releaseObject: { text: 'objectId' },
    releaseObjectGroup: { text: 'objectGroup' },
    getProperties: {
      text: 'objectId',
      flag: 'ownProperties accessorPropertiesOnly generatePreview nonIndexedPropertiesOnly',
    },
    addBinding: { text: 'name executionContextName', whole: 'executionContextId' },
    removeBinding: { text: 'name' },
    awaitPromise: { text: 'promiseObjectId', flag: 'returnByValue generatePreview' },
    compileScript: { text: 'expression sourceURL', flag: 'persistScript', whole: 'executionContextId' },
    runScript: {
      text: 'scriptId objectGroup',
      whole: 'executionContextId',
      flag: 'silent includeCommandLineAPI returnByValue generatePreview awaitPromise',
    },
    globalLexicalScopeNames: { whole: 'executionContextId' },
    getExceptionDetails: { text: 'errorObjectId' },
    queryObjects: { text: 'prototypeObjectId objectGroup' },
  }),
  ...domain('DOM', 'disable', {
    enable: { text: 'includeWhitespace' },
    getDocument: { whole: 'depth', flag: 'pierce' },
    describeNode: { whole: 'nodeId backendNodeId depth', text: 'objectId', flag: 'pierce' },
    resolveNode: { whole: 'nodeId backendNodeId executionContextId', text: 'objectGroup' },
    requestNode: { text: 'objectId' },
    requestChildNodes: { whole: 'nodeId depth', flag: 'pierce' },
    querySelector: { whole: 'nodeId', text: 'selector' },
    querySelectorAll: { whole: 'nodeId', text: 'selector' },
    getBoxModel: { whole: 'nodeId backendNodeId', text: 'objectId' },
    getContentQuads: { whole: 'nodeId backendNodeId', text: 'objectId' },
    getNodeForLocation: { whole: 'x y', flag: 'includeUserAgentShadowDOM ignorePointerEventsNone' },
    getFrameOwner: { text: 'frameId' },
    getOuterHTML: { whole: 'nodeId backendNodeId', text: 'objectId', flag: 'includeShadowDOM' },
    setOuterHTML: { whole: 'nodeId', text: 'outerHTML' },
    getAttributes: { whole: 'nodeId' },
    setAttributeValue: { whole: 'nodeId', text: 'name value' },
    setAttributesAsText: { whole: 'nodeId', text: 'text name' },
    removeAttribute: { whole: 'nodeId', text: 'name' },
    setNodeValue: { whole: 'nodeId', text: 'value' },
    setNodeName: { whole: 'nodeId', text: 'name' },
    removeNode: { whole: 'nodeId' },
    moveTo: { whole: 'nodeId targetNodeId insertBeforeNodeId' },
    focus: { whole: 'nodeId backendNodeId', text: 'objectId' },
    setFileInputFiles: { texts: 'files', whole: 'nodeId backendNodeId', text: 'objectId' },
    scrollIntoViewIfNeeded: { whole: 'nodeId backendNodeId', text: 'objectId', parts: { rect } },
    performSearch: { text: 'query', flag: 'includeUserAgentShadowDOM' },
    getSearchResults: { text: 'searchId', whole: 'fromIndex toIndex' },
    discardSearchResults: { text: 'searchId' },
    pushNodesByBackendIdsToFrontend: { wholes: 'backendNodeIds' },
    pushNodeByPathToFrontend: { text: 'path' },
    getFlattenedDocument: { whole: 'depth', flag: 'pierce' },
    getRelayoutBoundary: { whole: 'nodeId' },
    getNodeStackTraces: { whole: 'nodeId' },
  }),
  ...domain('CSS', 'enable disable startRuleUsageTracking stopRuleUsageTracking', {
    getComputedStyleForNode: { whole: 'nodeId' },
  }),
  ...domain('DOMSnapshot', 'enable disable', {
    captureSnapshot: {
      texts: 'computedStyles',
      flag: 'includePaintOrder includeDOMRects includeBlendedBackgroundColors includeTextColorOpacities',
    },
  }),
  ...domain('Input', 'cancelDragging', {
    dispatchKeyEvent: {
      text: 'type text unmodifiedText keyIdentifier code key',
      whole: 'modifiers windowsVirtualKeyCode nativeVirtualKeyCode location',
      number: 'timestamp',
      flag: 'autoRepeat isKeypad isSystemKey',
      texts: 'commands',
    },
    dispatchMouseEvent: {
      text: 'type button pointerType',
      number: 'x y timestamp force tangentialPressure tiltX tiltY deltaX deltaY',
      whole: 'modifiers buttons clickCount twist',
    },
    dispatchTouchEvent: { text: 'type', whole: 'modifiers', number: 'timestamp', parts: { touchPoints: [touchPoint] } },
    insertText: { text: 'text' },
    imeSetComposition: { text: 'text', whole: 'selectionStart selectionEnd replacementStart replacementEnd' },
    synthesizeScrollGesture: {
      number: 'x y xDistance yDistance xOverscroll yOverscroll',
      flag: 'preventFling',
      whole: 'speed repeatCount repeatDelayMs',
      text: 'gestureSourceType interactionMarkerName',
    },
    synthesizeTapGesture: { number: 'x y', whole: 'duration tapCount', text: 'gestureSourceType' },
    synthesizePinchGesture: { number: 'x y scaleFactor', whole: 'relativeSpeed', text: 'gestureSourceType' },
    setIgnoreInputEvents: { flag: 'ignore' },
    setInterceptDrags: { flag: 'enabled' },
    emulateTouchFromMouseEvent: {
      text: 'type button',
      whole: 'x y modifiers clickCount',
      number: 'timestamp deltaX deltaY',
    },
    dispatchDragEvent: { text: 'type', number: 'x y', whole: 'modifiers', parts: { data: dragData } },
  }),
  ...domain(
    'Emulation',
    'clearDeviceMetricsOverride clearGeolocationOverride clearIdleOverride resetPageScaleFactor canEmulate',
    {
      setTouchEmulationEnabled: { flag: 'enabled', whole: 'maxTouchPoints' },
      setEmitTouchEventsForMouse: { flag: 'enabled', text: 'configuration' },
      setUserAgentOverride: { text: 'userAgent acceptLanguage platform', parts: { userAgentMetadata } },
      setLocaleOverride: { text: 'locale' },
      setTimezoneOverride: { text: 'timezoneId' },
      setGeolocationOverride: { number: 'latitude longitude accuracy altitude altitudeAccuracy heading speed' },
      setEmulatedMedia: { text: 'media', parts: { features: [mediaFeature] } },
      setEmulatedVisionDeficiency: { text: 'type' },
      setFocusEmulationEnabled: { flag: 'enabled' },
      setScriptExecutionDisabled: { flag: 'value' },
      setDefaultBackgroundColorOverride: { parts: { color } },
      setIdleOverride: { flag: 'isUserActive isScreenUnlocked' },
      setCPUThrottlingRate: { number: 'rate' },
      setPageScaleFactor: { number: 'pageScaleFactor' },
      setScrollbarsHidden: { flag: 'hidden' },
      setDocumentCookieDisabled: { flag: 'disabled' },
      setAutoDarkModeOverride: { flag: 'enabled' },
      setDeviceMetricsOverride: {
        whole: 'width height screenWidth screenHeight positionX positionY',
        number: 'deviceScaleFactor scale',
        flag: 'mobile dontSetVisibleSize screenOrientationLockEmulation',
        text: 'scrollbarType viewportMeta textLayoutMode',
        parts: { screenOrientation, viewport, displayFeature, devicePosture },
      },
    },
  ),
  ...domain('Accessibility', 'enable disable', {
    getFullAXTree: { whole: 'depth', text: 'frameId' },
    getPartialAXTree: { whole: 'nodeId backendNodeId', text: 'objectId', flag: 'fetchRelatives' },
    getRootAXNode: { text: 'frameId' },
    getAXNodeAndAncestors: { whole: 'nodeId backendNodeId', text: 'objectId' },
    getChildAXNodes: { text: 'id frameId' },
    queryAXTree: { whole: 'nodeId backendNodeId', text: 'objectId accessibleName role' },
  }),
  ...domain('Network', 'disable clearBrowserCache clearBrowserCookies getAllCookies', {
    setBypassServiceWorker: { flag: 'bypass' },
    enable: {
      whole: 'maxTotalBufferSize maxResourceBufferSize maxPostDataSize',
      flag: 'reportDirectSocketTraffic enableDurableMessages',
    },
    setExtraHTTPHeaders: { record: 'headers' },
    setCacheDisabled: { flag: 'cacheDisabled' },
    setUserAgentOverride: { text: 'userAgent acceptLanguage platform', parts: { userAgentMetadata } },
    getCookies: { texts: 'urls' },
    setCookie: {
      text: 'name value url domain path sameSite priority sourceScheme',
      flag: 'secure httpOnly',
      number: 'expires',
      whole: 'sourcePort',
      parts: { partitionKey: cookiePartitionKey },
    },
    setCookies: { parts: { cookies: [cookieParam] } },
    deleteCookies: { text: 'name url domain path', parts: { partitionKey: cookiePartitionKey } },
    getResponseBody: { text: 'requestId' },
    getRequestPostData: { text: 'requestId' },
    emulateNetworkConditions: {
      flag: 'offline packetReordering',
      number: 'latency downloadThroughput uploadThroughput packetLoss',
      text: 'connectionType',
      whole: 'packetQueueLength',
    },
    setBlockedURLs: { texts: 'urls', parts: { urlPatterns: [blockPattern] } },
    getSecurityIsolationStatus: { text: 'frameId' },
  }),
  ...domain('Fetch', 'disable', {
    enable: { flag: 'handleAuthRequests', parts: { patterns: [requestPattern] } },
    failRequest: { text: 'requestId errorReason' },
    fulfillRequest: { ...response, text: `${response.text} body` },
    continueRequest: {
      text: 'requestId url method postData',
      flag: 'interceptResponse',
      parts: { headers: [headerEntry] },
    },
    continueResponse: response,
    continueWithAuth: { text: 'requestId', parts: { authChallengeResponse } },
    getResponseBody: { text: 'requestId' },
    takeResponseBodyAsStream: { text: 'requestId' },
  }),
  ...domain('IO', '', ofStreams),
  ...observed,
  ...domain('Performance', 'disable getMetrics', {
    enable: { text: 'timeDomain' },
  }),
  ...domain('Target', '', {
    detachFromTarget: { text: 'sessionId targetId' },
    getTargetInfo: { text: 'targetId' },
    setAutoAttach: { flag: 'autoAttach waitForDebuggerOnStart flatten', parts: { filter: [filterEntry] } },
  }),
}

/** Commands for the browser itself. */
export const rootShapes: Commands = {
  ...domain('Target', 'getBrowserContexts attachToBrowserTarget', {
    setDiscoverTargets: { flag: 'discover', parts: { filter: [filterEntry] } },
    setAutoAttach: { flag: 'autoAttach waitForDebuggerOnStart flatten', parts: { filter: [filterEntry] } },
    getTargets: { parts: { filter: [filterEntry] } },
    getTargetInfo: { text: 'targetId' },
    attachToTarget: { text: 'targetId', flag: 'flatten' },
    detachFromTarget: { text: 'sessionId targetId' },
    createTarget: {
      text: 'url windowState browserContextId',
      whole: 'left top width height',
      flag: 'enableBeginFrameControl newWindow background forTab hidden focus',
    },
    createBrowserContext: {
      flag: 'disposeOnDetach',
      text: 'proxyServer proxyBypassList',
      texts: 'originsWithUniversalNetworkAccess',
    },
    disposeBrowserContext: { text: 'browserContextId' },
    closeTarget: { text: 'targetId' },
    activateTarget: { text: 'targetId' },
  }),
  ...domain('Storage', '', {
    getCookies: { text: 'browserContextId' },
    setCookies: { text: 'browserContextId', parts: { cookies: [cookieParam] } },
    clearCookies: { text: 'browserContextId' },
  }),
  ...domain('Browser', 'getVersion', {
    setDownloadBehavior: { text: 'behavior browserContextId downloadPath', flag: 'eventsEnabled' },
    cancelDownload: { text: 'guid browserContextId' },
  }),
  ...domain('IO', '', ofStreams),
}
