import { depthFault, type JsonFault } from '@causeway/xray'
import { initialize } from 'monaco-editor/internal/common/initialize'
import { JSONWorker, type JsonDiagnostic } from 'monaco-editor/languages/features/json/jsonWorker'

// The language reads by recursion. Where a text has levels without end, its worker fails with every question, and says nothing of
// the text: that it is too deep is said here, and to all else such a text is none.

const ERROR = 1

class Worker extends JSONWorker {
  override _getTextDocument(uri: string) {
    const document = super._getTextDocument(uri)
    return document && !depthFault(document.getText()) ? document : null
  }

  override async doValidation(uri: string): Promise<JsonDiagnostic[]> {
    const text = super._getTextDocument(uri)?.getText()
    const fault = text === undefined ? undefined : depthFault(text)
    return fault ? [toDiagnostic(fault)] : super.doValidation(uri)
  }
}

function toDiagnostic({ line, column, message }: JsonFault): JsonDiagnostic {
  const start = { line: line - 1, character: column - 1 }
  return { message, severity: ERROR, range: { start, end: { ...start, character: column } } }
}

// The first message starts it, the second is what it is made with.
globalThis.onmessage = () => initialize((context, made) => new Worker(context, made))
