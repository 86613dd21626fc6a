/**
 * Is a file of this name no file of its own, but what macOS keeps beside one (its attributes, as AppleDouble) wherever a
 * disk, a share or an archive has no place for them? It has the ending of the file it belongs to, and none of its content.
 */
export function isCompanion(name: string): boolean {
  return name.startsWith("._");
}
