/** A title as a part of an address: lower case, words joined by single dashes, none at either end. */
export function slug(title) {
  return title.toLowerCase().replace(/[^a-z0-9]/g, "-");
}
