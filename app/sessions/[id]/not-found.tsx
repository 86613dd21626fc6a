export default function SessionNotFound() {
  return (
    <div className="mx-auto max-w-[72ch] py-12">
      <h1 className="mb-2 font-semibold text-lg">No session has this id</h1>
      <p className="mb-4">
        It may have been deleted since the link was made: some tools delete their transcripts after 30 days.
        Or it stands in a source that this server does not read.
      </p>
      <p>
        <a href="/sessions" className="link">
          All sessions
        </a>
      </p>
    </div>
  );
}
